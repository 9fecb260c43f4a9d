import { ErrorBody } from '#shared/http/errors.ts';
import type { ForeignAnswer } from './wire.ts';

const MOST_CHARACTERS = 2000;
const style = 'body{font:16px/1.5 system-ui,sans-serif;margin:16px;overflow-wrap:anywhere;white-space:pre-wrap}';

/**
 * The document that the error overlay frames (LVC-03, T11): who develops sees the server's HTML as it came, everybody else its text
 * and the request's number alone.
 */
export function errorDocument({ status, text, html, requestId }: ForeignAnswer, development: boolean): string {
  if (development && html) return text;
  const words = (html ? textOf(text) : messageOf(text)).slice(0, MOST_CHARACTERS).trim();
  const sentence = words === '' ? `Der Server hat mit dem Status ${status} geantwortet.` : words;
  const number = requestId === '' ? '' : `<p>Vorgangsnummer: ${escaped(requestId)}</p>`;
  return `<!doctype html><html lang="de"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Antwort des Servers</title><style>${style}</style></head><body><p>${escaped(sentence)}</p>${number}</body></html>`;
}

/** The sentence of one of our own failures, or what stands there. */
function messageOf(text: string): string {
  try {
    return ErrorBody.safeParse(JSON.parse(text)).data?.error.message ?? text;
  } catch {
    return text;
  }
}

/** What people would read of a page, without what only machines do. */
function textOf(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html');
  for (const one of page.querySelectorAll('script, style, template, noscript')) one.remove();
  return (page.body.textContent ?? '').replaceAll(/\s+/g, ' ');
}

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => signs[sign] ?? '');
