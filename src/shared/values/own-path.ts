/** Returns whether this is a path of our own host: nothing that a browser could read as another host or as a script. */
export const isOwnPath = (path: string): boolean =>
  /^\/(?![/\\])[^\\\s\p{Cc}]*$/u.test(path) && URL.parse(path, 'http://own.invalid')?.host === 'own.invalid';
