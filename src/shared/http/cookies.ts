/** The value of one cookie in a `Cookie` header or `document.cookie`; '' if it is not there or not readable. */
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

/** Catalogue and export that a browser last had open; '' for what is not known. */
export type LastUsed = { readonly masterid: string; readonly exportId: string };

/** Reads what was last used, as `masterid.exportid`. */
export function lastUsedOf(cookies: string): LastUsed {
  const [masterid = '', exportId = ''] = readCookie(cookies, lastUsedCookie).split('.');
  return { masterid, exportId };
}

/** The cookie that says so from now on, as name and value. */
export const lastUsedEntry = ({ masterid, exportId }: LastUsed): [string, string] => [
  lastUsedCookie,
  `${masterid}.${exportId}`,
];
