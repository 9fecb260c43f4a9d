import type { FastifyReply } from 'fastify';
import { KontorError } from '#platform/errors.ts';
import type { Principal } from '#platform/http/server.ts';

/**
 * So many streams of a person and of a company at a time, in each process. The windows of a browser share one, and one without locks opens one
 * for each visible window: twenty are several browsers, and what a reload has left for a moment.
 */
const STREAMS = { person: 20, company: 200 } as const;
export type StreamLimits = { readonly person: number; readonly company: number };
/** So many bytes wait for a listener who does not read: thousands of events. Then he begins anew with what runs. */
const MOST_WAITING = 256 * 1024;

/** Counts the streams that are open, so that nobody can take the memory and the connections of all. */
export class OpenStreams {
  private readonly most: StreamLimits;
  private readonly open = new Map<string, number>();

  constructor(most: StreamLimits = STREAMS) {
    this.most = most;
  }

  /** Takes a place until the returned function gives it back. @throws 429 where none is left */
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

const tooMany = (who: string): KontorError =>
  new KontorError(
    429,
    'too_many_streams',
    `${who} zu viele Fenster und Programme geöffnet, die laufende Anzeigen empfangen. Diese Seite zeigt Änderungen erst nach dem Neuladen; bitte schließen Sie einige andere.`,
    { retryAfter: 10 },
  );

/** Writes to a stream. One whose listener does not read is closed as soon as too much waits for him; browsers connect again by themselves. */
export function writeToStream(raw: FastifyReply['raw'], text: string): void {
  if (raw.destroyed || raw.writableEnded) return;
  raw.write(text);
  if (raw.writableLength > MOST_WAITING) raw.destroy();
}
