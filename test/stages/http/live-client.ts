import { api } from '#shared/http/api.ts';
import { SignedProps } from '#shared/live/components.ts';
import type { TestKontor } from '../kontor.ts';

export type Sent = {
  props?: unknown;
  updated?: unknown;
  children?: unknown;
  propsFromParent?: unknown;
  args?: unknown;
  actions?: unknown;
};
type How = { as?: string | null; headers?: Record<string, string>; files?: Readonly<Record<string, File>> };
export type Answer = { status: number; headers: Headers; html: string; code: string };

/** Returns an element's attribute as a browser reads it. */
export function attributeOf(html: string, name: string, component?: string): string {
  const from = component === undefined ? 0 : html.indexOf(`data-live-component="${component}"`);
  const [, text = ''] = new RegExp(`\\s${name}="([^"]*)"`).exec(html.slice(Math.max(0, from))) ?? [];
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** Returns the signed props of a component's element; of the root if no name is given. */
export const propsOf = (html: string, component?: string): SignedProps =>
  SignedProps.parse(JSON.parse(attributeOf(html, 'data-live-props', component)));

/** Returns a client that speaks the protocol of live components as a browser does (LVC-01). */
export function liveClient(kontor: TestKontor) {
  const send = async (path: string, data: Sent | string, { files = {}, ...how }: How = {}): Promise<Answer> => {
    const body = new FormData();
    body.set('data', typeof data === 'string' ? data : JSON.stringify(data));
    for (const [part, file] of Object.entries(files)) body.set(part, file);
    return read(await kontor.raw(`/api/live-components/${path}`, { method: 'POST', body, ...how }));
  };
  const first = async (component: string, query: Record<string, string> = {}, as?: string) =>
    (await kontor.ask(api.liveComponentFirst, { params: { component }, query, ...(as === undefined ? {} : { as }) }))
      .html;
  return { send, first };
}

export async function read(answer: Response): Promise<Answer> {
  const html = await answer.text();
  const code = answer.headers.get('content-type')?.includes('json') === true ? codeOf(html) : '';
  return { status: answer.status, headers: answer.headers, html, code };
}

const codeOf = (text: string): string => (JSON.parse(text) as { error: { code: string } }).error.code;

/** Returns a picture whose name and type say something else. */
export const png = (bytes = 16) =>
  new File(
    [new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...Array<number>(bytes - 8).fill(0)])],
    'x.html',
    {
      type: 'text/html',
    },
  );
