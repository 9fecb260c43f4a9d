import { ErrorBody } from '#shared/http/errors.ts';
import { trustedHtml } from '#client/page-load/trusted-types.ts';
import { browserNonce } from '#client/ui/nonce.ts';
import { plainParagraphs } from '#client/ui/text/plain-text.ts';
import type { ForeignAnswer } from './wire.ts';

const MOST_CHARACTERS = 2000;
const style = 'body{font:16px/1.5 system-ui,sans-serif;margin:16px;overflow-wrap:anywhere;white-space:pre-wrap}';

/** For documents made only here, with every text escaped; their frame runs no scripts. */
const answerDocument = trustedHtml('kontor-answer', (html) => html);

/**
 * Returns the document for the error overlay's frame (LVC-03, T11): the server's HTML
 * unchanged in development, else only its text.
 */
export function errorDocument({ status, text, html }: Omit<ForeignAnswer, 'requestId'>, development: boolean): string {
  if (development && html) return answerDocument(text);
  const words = (html ? textOf(text) : messageOf(text)).slice(0, MOST_CHARACTERS).trim();
  const sentence = words === '' ? `Der Server hat mit dem Status ${status} geantwortet.` : words;
  return answerDocument(
    `<!doctype html><html lang="de"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Antwort des Servers</title><style nonce="${browserNonce()}">${style}</style></head><body><p>${escaped(sentence)}</p></body></html>`,
  );
}

/** Returns the message of one of our own errors, or the text itself. */
function messageOf(text: string): string {
  try {
    return ErrorBody.safeParse(JSON.parse(text)).data?.error.message ?? text;
  } catch {
    return text;
  }
}

/** Returns the visible text of a page. */
function textOf(html: string): string {
  return plainParagraphs(html.replaceAll(/<(script|style|template|noscript|head)\b[^]*?(?:<\/\1\s*>|$)/gi, '')).join(
    ' ',
  );
}

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => signs[sign] ?? '');
