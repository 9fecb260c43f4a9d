import { expect, it } from 'vitest';
import { articles } from '../../../../../../../test/stages/repricer/articles.ts';
import { readPiece } from './ask-piece.ts';

const never = new AbortController().signal;

it('RDA-04 reads a chunk of the list with its total, and a bare list without one', async () => {
  const data = articles(3);
  const chunk = { data, total: 7, finished: false, pageCount: 1 };
  expect(await readPiece(JSON.stringify(chunk), never)).toEqual({ data, total: 7, finished: false });
  expect(await readPiece(JSON.stringify(data), never)).toEqual({ data, total: null, finished: true });
  const full = await readPiece(JSON.stringify(articles(10_000)), never);
  expect([full.data.length, full.finished]).toEqual([10_000, false]);
});

it('RDA-04 a response of another shape is refused, and an aborted one is not read', async () => {
  for (const text of ['', '<html>', '{"data":[]}', '[{"_id":1}]', '{"data":[{}],"total":1,"finished":true}'])
    await expect(readPiece(text, never)).rejects.toMatchObject({ name: 'CallError', code: 'bad_answer' });
  await expect(readPiece('', AbortSignal.abort())).rejects.toThrow(/abort/i);
});
