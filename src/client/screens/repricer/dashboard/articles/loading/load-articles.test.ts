import { describe, expect, it } from 'vitest';
import { articles } from '../../../../../../../test/stages/repricer/articles.ts';
import { type ArticlePiece, loadArticles, type LoadProgress, notLoaded, progressWords } from './load-articles.ts';

const pieceOf = (all: number, offset: number, limit = 10, total: number | null = all): ArticlePiece => ({
  data: articles(Math.max(0, Math.min(limit, all - offset)), offset),
  total,
  finished: offset + limit >= all,
});

describe('loading the article list in pieces', () => {
  const run = async (
    ask: (offset: number) => ArticlePiece | Promise<ArticlePiece>,
    { from = notLoaded, signal = new AbortController().signal }: { from?: LoadProgress; signal?: AbortSignal } = {},
  ) => {
    const offsets: number[] = [];
    const steps: LoadProgress[] = [];
    const ids: string[] = [];
    const done = loadArticles({
      from,
      signal,
      ask: async (offset) => {
        offsets.push(offset);
        return ask(offset);
      },
      onPiece: (data, progress) => {
        ids.push(...data.map(({ _id }) => _id));
        steps.push(progress);
      },
    });
    const error = await done.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { offsets, steps, ids, error };
  };

  it('RDA-04 goes on until the server says that it is finished', async () => {
    const { offsets, steps, ids } = await run((offset) => pieceOf(25, offset));
    expect(offsets).toEqual([0, 10, 20]);
    expect(steps.at(-1)).toEqual({ offset: 25, total: 25, finished: true });
    expect(new Set(ids).size).toBe(25);
  });

  it('RDA-04 an empty list takes one request; an empty piece ends a list that became shorter', async () => {
    expect((await run((offset) => pieceOf(0, offset))).offsets).toEqual([0]);
    const shrunk = await run((offset) => ({ ...pieceOf(offset === 0 ? 30 : 10, offset), finished: false }));
    expect(shrunk.offsets).toEqual([0, 10]);
    expect(shrunk.steps.at(-1)).toEqual({ offset: 10, total: 10, finished: true });
  });

  it('RDA-04 never reports more loaded articles than the total, however the total changes', async () => {
    const totals = [12, 5, 100];
    const { steps } = await run((offset) => pieceOf(30, offset, 10, totals[offset / 10] ?? 0));
    expect(steps.map(({ offset, total }) => [offset, total])).toEqual([
      [10, 12],
      [20, 20],
      [30, 100],
    ]);
  });

  it('RDA-04 a failed piece ends the loading, which can be resumed at that piece', async () => {
    const first = await run((offset) => {
      if (offset === 10) throw new Error('down');
      return pieceOf(25, offset);
    });
    expect(first.error).toMatchObject({ message: 'down' });
    expect(first.ids).toHaveLength(10);
    const from = first.steps.at(-1) ?? notLoaded;
    const second = await run((offset) => pieceOf(25, offset), { from });
    expect(second.offsets).toEqual([10, 20]);
    expect(new Set([...first.ids, ...second.ids]).size).toBe(25);
  });

  it('RDA-04 a piece that arrives after the abort is ignored', async () => {
    const stop = new AbortController();
    const { steps, error } = await run(
      (offset) => {
        if (offset === 10) stop.abort();
        return pieceOf(25, offset);
      },
      { signal: stop.signal },
    );
    expect(steps).toHaveLength(1);
    expect(error).toMatchObject({ name: 'AbortError' });
  });
});

it('RDA-04 the progress reads „X von Y Datensätze“, in the singular for one', () => {
  const words = (offset: number, total: number | null) => progressWords({ offset, total, finished: false });
  expect(words(0, null)).toBeNull();
  expect(words(1, null)).toBe('1 Datensatz');
  expect(words(0, 1)).toBe('0 von 1 Datensatz');
  expect(words(10_000, 25_000)).toBe('10.000 von 25.000 Datensätze');
});
