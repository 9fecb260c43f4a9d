import { KontorError } from '#platform/errors.ts';

/** The download address of the file behind a share link; `service` is the service's name as shown to users. */
export type SharedFile = { readonly service: string; readonly address: string };

type Rule = { service: string; host: RegExp; address: (url: URL) => string | undefined };

/** The sheet that was open when the link was copied: from `#gid=7`, else from `?gid=7`. */
const sheetOf = ({ hash, search }: URL) => {
  const gid = /[#?&]gid=(\d{1,15})(?!\d)/u;
  return (gid.exec(hash) ?? gid.exec(search))?.[1];
};

const rules: readonly Rule[] = [
  {
    service: 'Google Tabellen',
    host: /^docs\.google\.com$/u,
    address: (url) => {
      const sheet = sheetOf(url);
      const [, published] = /^\/spreadsheets\/d\/e\/([\w-]+)\/pubhtml/u.exec(url.pathname) ?? [];
      if (published !== undefined)
        return `https://docs.google.com/spreadsheets/d/e/${published}/pub?output=csv${sheet === undefined ? '' : `&single=true&gid=${sheet}`}`;
      const [, id] =
        /^(?:\/a\/[\w.-]+)?\/spreadsheets\/(?:u\/\d+\/)?d\/([\w-]{10,})(?:\/(?:edit|view|preview|htmlview|copy)?)?$/u.exec(
          url.pathname,
        ) ?? [];
      if (id === undefined || id === 'e') return undefined;
      return `https://docs.google.com/spreadsheets/d/${id}/export?format=csv${sheet === undefined ? '' : `&gid=${sheet}`}`;
    },
  },
  {
    service: 'Google Drive',
    host: /^drive\.google\.com$/u,
    address: (url) => {
      const id = /^\/file\/(?:u\/\d+\/)?d\/([\w-]{10,})(?:\/|$)/u.exec(url.pathname)?.[1];
      const named = url.pathname === '/open' ? (url.searchParams.get('id') ?? undefined) : undefined;
      const found = id ?? named;
      if (found === undefined) return undefined;
      // 'confirm=t' skips the page that warns, for files above 25 to 100 MB, that they were not scanned for viruses.
      const file = new URL('https://drive.usercontent.google.com/download?export=download&confirm=t');
      file.searchParams.set('id', found);
      // Older files can only be opened with their resource key.
      const key = url.searchParams.get('resourcekey');
      if (key !== null) file.searchParams.set('resourcekey', key);
      return file.href;
    },
  },
  {
    service: 'Dropbox',
    host: /^(?:www\.)?dropbox\.com$/u,
    address: (url) => (/^\/(?:s|sh|scl\/fi)\//u.test(url.pathname) ? withParameter(url, 'dl', '1') : undefined),
  },
  {
    service: 'SharePoint',
    host: /^[\w-]+\.sharepoint\.com$/u,
    address: (url) => (/^\/:[a-z]:\//u.test(url.pathname) ? withParameter(url, 'download', '1') : undefined),
  },
];

function withParameter(url: URL, name: string, value: string): string {
  const changed = new URL(url);
  changed.searchParams.set(name, value);
  changed.hash = '';
  return changed.href;
}

/**
 * Returns the file behind a link copied from a 'Teilen' dialog: the link itself shows a web page. Undefined for every other
 * address, including addresses of the file itself.
 */
export function sharedFile(link: string): SharedFile | undefined {
  const url = URL.parse(link);
  if (url === null || !/^https?:$/u.test(url.protocol)) return undefined;
  const host = url.hostname.toLowerCase();
  for (const rule of rules) {
    const address = rule.host.test(host) ? rule.address(url) : undefined;
    if (address !== undefined) return { service: rule.service, address };
  }
  return undefined;
}

const isPage = (contentType: string | undefined): boolean => /^text\/html\b/iu.test(contentType ?? '');

/**
 * Returns the file behind a Nextcloud share link (`/s/` and 15 characters). Every Nextcloud has its own host, so such a link is
 * recognised only because a page was returned instead of a file.
 */
export function nextcloudFile(link: string, contentType: string | undefined): SharedFile | undefined {
  const url = URL.parse(link);
  if (url === null || !isPage(contentType) || !/\/s\/[A-Za-z0-9]{15}\/?$/u.test(url.pathname)) return undefined;
  const file = new URL(url);
  file.pathname = `${url.pathname.replace(/\/$/u, '')}/download`;
  file.hash = '';
  return { service: 'Nextcloud', address: file.href };
}

/**
 * Checks that the service returned a file.
 * @throws 422 where it returned a page: a sign-in, or a notice that the file does not exist
 */
export function requireShared({ service }: SharedFile, contentType: string | undefined): void {
  if (!isPage(contentType)) return;
  throw new KontorError(
    422,
    'link_not_shared',
    `Hinter dem Link von ${service} liegt keine Datei, sondern eine Webseite, meist die Anmeldung. Es wurde nichts importiert, der bisherige Stand bleibt. Bitte geben Sie die Datei dort für „Jeder, der über den Link verfügt“ frei, und prüfen Sie, ob es sie noch gibt.`,
  );
}
