import type { FastifyReply } from 'fastify';
import { KontorError } from '#platform/errors.ts';
import type { Principal } from '#platform/http/server.ts';

/**
 * Most concurrent streams per user and per company, in each process. The windows of a browser share one stream; a browser without
 * Web Locks opens one per visible window: twenty allows for several browsers, and for streams that remain for a moment after a
 * reload.
 */
const STREAMS = { person: 20, company: 200 } as const;
export type StreamLimits = { readonly person: number; readonly company: number };
/**
 * Most unsent bytes per listener: thousands of events. Beyond that its stream is closed, and it reconnects and starts with what
 * is running.
 */
const MOST_WAITING = 256 * 1024;

/** Counts the open streams, so that no user can exhaust memory and connections. */
export class OpenStreams {
  private readonly most: StreamLimits;
  private readonly open = new Map<string, number>();

  constructor(most: StreamLimits = STREAMS) {
    this.most = most;
  }

  /** Reserves a stream until the returned function releases it. @throws 429 if none is left */
  enter({ company, userId, name }: Pick<Principal, 'company' | 'userId' | 'name'>): () => void {
    const person = JSON.stringify([company, userId === undefined ? 'token' : 'person', userId ?? name]);
    if (this.count(person) >= this.most.person) throw tooMany('Sie haben');
    if (this.count(company) >= this.most.company) throw tooMany('Ihre Firma hat');
    for (const key of [person, company]) this.open.set(key, this.count(key) + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      for (const key of [person, company]) {
        const rest = this.count(key) - 1;
        if (rest === 0) this.open.delete(key);
        else this.open.set(key, rest);
      }
    };
  }

  private count(key: string): number {
    return this.open.get(key) ?? 0;
  }
}

const tooMany = (owner: string): KontorError =>
  new KontorError(
    429,
    'too_many_streams',
    `${owner} zu viele Fenster und Programme geöffnet, die laufende Anzeigen empfangen. Diese Seite zeigt Änderungen erst nach dem Neuladen; bitte schließen Sie einige andere.`,
    { retryAfter: 10 },
  );

/** Writes to a stream, and closes it if too much unsent data is pending; browsers reconnect by themselves. */
export function writeToStream(raw: FastifyReply['raw'], text: string): void {
  if (raw.destroyed || raw.writableEnded) return;
  raw.write(text);
  if (raw.writableLength > MOST_WAITING) raw.destroy();
}
