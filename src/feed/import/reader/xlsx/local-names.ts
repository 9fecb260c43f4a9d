/** Returns a name without its prefix, so that strict and transitional workbooks and unusual writers are read alike. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Returns the value of an attribute with any prefix. */
export function attribute(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  return attributes[name] ?? Object.entries(attributes).find(([key]) => localName(key) === name)?.[1];
}
