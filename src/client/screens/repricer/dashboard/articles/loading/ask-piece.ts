import { z } from 'zod';
import { api } from '#shared/http/api.ts';
import { CHUNK, RepricedArticle } from '#shared/repricer/dashboard.ts';
import { CallError, callFile } from '#client/call.ts';
import type { ArticleListProps } from '#client/screens/repricer/dashboard/dashboard-query.ts';
import type { ArticlePiece, AskPiece } from './load-articles.ts';
import { createYielder } from '#client/screens/repricer/dashboard/articles/yielder.ts';

export type ArticleSource = Pick<ArticleListProps, 'masterid' | 'sellerId' | 'of'>;

const Chunk = z.object({ data: z.array(z.unknown()), total: z.number(), finished: z.boolean() });
const List = z.array(z.unknown());
/** Rows parsed between two pauses. */
const PIECE = 500;

/**
 * Returns the call for each kind of list. Lists of a rank or a competitor have no total: a chunk that is not full is the last.
 */
export function askerOf({ masterid, sellerId: sellerid, of }: ArticleSource): AskPiece {
  const query = (offset: number) => ({ masterid, offset, limit: CHUNK });
  if (of.kind === 'all')
    return async (offset, signal) => {
      const input = { params: { sellerid }, query: query(offset), signal };
      const { file } = await callFile(api.repricedArticles, input);
      return readPiece(await file.text(), signal);
    };
  return async (offset, signal) => {
    const input = { query: query(offset), signal };
    const { file } =
      of.kind === 'rank'
        ? await callFile(api.articlesOfRank, { params: { sellerid, rank: of.rank }, ...input })
        : await callFile(api.articlesOfCompetitor, { params: { sellerid, competitor: of.id }, ...input });
    return readPiece(await file.text(), signal);
  };
}

/**
 * Parses an answer of 10,000 rows as `call` does, but with pauses in which the page can respond: at a stretch it would block
 * clicks for too long. @throws CallError for an answer of an unexpected shape
 */
export async function readPiece(text: string, signal: AbortSignal): Promise<ArticlePiece> {
  const pause = createYielder(signal);
  try {
    const answer: unknown = JSON.parse(text);
    await pause();
    const {
      data: rows,
      total,
      finished,
    } = Array.isArray(answer)
      ? { data: List.parse(answer), total: null, finished: answer.length < CHUNK }
      : Chunk.parse(answer);
    const data: RepricedArticle[] = [];
    for (const [index, row] of rows.entries()) {
      if (index % PIECE === 0) await pause();
      data.push(RepricedArticle.parse(row));
    }
    return { data, total, finished };
  } catch (error) {
    signal.throwIfAborted();
    const message = 'Die Antwort des Servers war unverständlich. Bitte laden Sie die Seite neu.';
    throw new CallError(200, { code: 'bad_answer', message, requestId: '' }, error);
  }
}
