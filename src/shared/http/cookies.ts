/** Returns the value of one cookie in a `Cookie` header or `document.cookie`; '' if it is missing or cannot be decoded. */
export function readCookie(cookies: string, name: string): string {
  const found = cookies.split('; ').find((entry) => entry.startsWith(`${name}=`));
  if (found === undefined) return '';
  try {
    return decodeURIComponent(found.slice(name.length + 1));
  } catch {
    return '';
  }
}

const lastUsedCookie = 'kontor_zuletzt';

/** Catalogue and export last opened in a browser; '' if unknown. */
export type LastUsed = { readonly masterid: string; readonly exportId: string };

/** Parses the cookie of the last used catalogue and export, `masterid.exportid`. */
export function lastUsedOf(cookies: string): LastUsed {
  const [masterid = '', exportId = ''] = readCookie(cookies, lastUsedCookie).split('.');
  return { masterid, exportId };
}

/** Returns that cookie as name and value. */
export const lastUsedEntry = ({ masterid, exportId }: LastUsed): [string, string] => [
  lastUsedCookie,
  `${masterid}.${exportId}`,
];
