import { trustedHtml } from '#client/page-load/trusted-types.ts';
import { LIVE_MEDIA_TYPE, LIVE_REDIRECT_HEADER, MOST_GET_CHARACTERS } from '#shared/live/component-protocol.ts';
import { isOwnPath } from '#shared/values/own-path.ts';
import { callLive } from '#client/call.ts';
import type { LiveRequest } from './request-queue.ts';

/** An answer that is no live component (LVC-03). */
export type ForeignAnswer = { status: number; text: string; html: boolean; requestId: string };
export type LiveAnswer =
  | { kind: 'component'; root: HTMLElement; invalid: boolean }
  | { kind: 'redirect'; path: string }
  | { kind: 'foreign'; answer: ForeignAnswer };

/** Sends a component's request (LVC-01). @throws CallError if the connection gave no answer */
export async function ask(element: HTMLElement, request: LiveRequest, signal: AbortSignal): Promise<LiveAnswer> {
  const [address, init] = requestOf(element, request);
  return answerOf(await callLive(address, { ...init, signal }));
}

function requestOf(element: HTMLElement, { typed, actions }: LiveRequest): [address: string, init: RequestInit] {
  const url = element.dataset['liveUrl'] ?? '';
  const [only] = actions;
  const data = JSON.stringify({
    props: propsAt(element, 'data-live-props'),
    propsFromParent: propsAt(element, 'data-live-props-from-parent'),
    updated: Object.fromEntries(typed),
    children: childrenOf(element),
    ...(actions.length === 1 ? { args: only?.args } : {}),
    ...(actions.length > 1 ? { actions: actions.map(({ name, args }) => ({ name, args })) } : {}),
  });
  const short = `${url}?${new URLSearchParams({ data }).toString()}`;
  if (only === undefined && element.hasAttribute('data-live-get') && short.length < MOST_GET_CHARACTERS)
    return [short, { method: 'GET' }];
  const body = new FormData();
  body.set('data', data);
  for (const { part, file } of actions.flatMap(({ files }) => files)) body.append(part, file);
  const path = only === undefined ? '' : actions.length === 1 ? `/${encodeURIComponent(only.name)}` : '/_batch';
  return [url + path, { method: 'POST', body }];
}

/** Returns signed props as received: only the server can interpret them. */
function propsAt(element: HTMLElement, name: string): unknown {
  const text = element.getAttribute(name);
  return text === null ? undefined : JSON.parse(text);
}

/** Returns the children in the page, with fingerprints: the server does not send unchanged ones again. */
function childrenOf(element: HTMLElement): Record<string, { fingerprint: string; tag: string }> {
  const children = [...element.querySelectorAll<HTMLElement>('[data-live-component]')].filter(
    ({ parentElement }) => parentElement?.closest('[data-live-component]') === element,
  );
  return Object.fromEntries(
    children.map(({ id, dataset, localName }) => [
      id,
      { fingerprint: dataset['liveFingerprint'] ?? '', tag: localName },
    ]),
  );
}

async function answerOf(response: Response): Promise<LiveAnswer> {
  const { status, headers } = response;
  const path = headers.get('location') ?? '';
  if (status === 204 && headers.has(LIVE_REDIRECT_HEADER) && isOwnPath(path)) return { kind: 'redirect', path };
  const text = await response.text();
  const type = headers.get('content-type') ?? '';
  const root = type.startsWith(LIVE_MEDIA_TYPE) && (status === 200 || status === 422) ? rootOf(text) : undefined;
  if (root !== undefined) return { kind: 'component', root, invalid: status === 422 };
  const requestId = headers.get('x-request-id') ?? '';
  return { kind: 'foreign', answer: { status, text, html: type.startsWith('text/html'), requestId } };
}

/**
 * HTML of components, in which our server has escaped every text (T11). Elements that they never need are refused all the same.
 */
export const componentHtml = trustedHtml('kontor-live-component', (html) =>
  /<(?:script|iframe|object|embed|base|meta|link)\b|\ssrcdoc\b/i.test(html) ? null : html,
);

/** Returns the only element of a component's HTML; undefined unless there is exactly one. */
export function rootOf(html: string): HTMLElement | undefined {
  const template = document.createElement('template');
  template.innerHTML = componentHtml(html);
  const root = template.content.firstElementChild;
  return template.content.childElementCount === 1 && root instanceof HTMLElement ? root : undefined;
}
