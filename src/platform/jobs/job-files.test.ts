import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { discardFiles, finalName, placeFiles, prepareFiles, temporaryName } from './job-files.ts';

const filesOf = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const attempt = { id: 'lauf1', fence: 2 };
  const final = join(folder, '7.parquet');
  const files = [{ temporary: temporaryName(attempt, final), final }];
  return { folder, attempt, final, files };
};

it('a file is moved to its place once, however often the transaction is repeated; a missing one is an error', async () => {
  const { attempt, final, files } = await filesOf();
  await expect(placeFiles(attempt, files)).rejects.toThrow(/ENOENT/);
  await expect(prepareFiles(attempt, files)).rejects.toThrow(/ENOENT/);
  await writeFile(temporaryName(attempt, final), 'Inhalt');
  await prepareFiles(attempt, files);
  await placeFiles(attempt, files);
  await placeFiles(attempt, files);
  expect(await readFile(final, 'utf8')).toBe('Inhalt');
});

it("files of a superseded attempt are separate from the next attempt's, and are removed with it", async () => {
  const { folder, attempt, final, files } = await filesOf();
  const next = { ...attempt, fence: 3 };
  const other = [{ temporary: temporaryName(next, final), final }];
  expect(finalName(next, temporaryName(next, final))).toBe(final);
  await writeFile(temporaryName(attempt, final), 'alt');
  await writeFile(temporaryName(next, final), 'neu');
  await prepareFiles(attempt, files);
  await prepareFiles(next, other);
  await placeFiles(next, other);
  await discardFiles(attempt, files);
  expect(await readFile(final, 'utf8')).toBe('neu');
  expect(await readdir(folder)).toEqual(['7.parquet']);
});

it("F2 a superseded attempt that finishes its file late does not replace the next attempt's file", async () => {
  const { attempt, final, files } = await filesOf();
  const next = { ...attempt, fence: 3 };
  const other = [{ temporary: temporaryName(next, final), final }];
  await writeFile(temporaryName(next, final), 'neu');
  await prepareFiles(next, other);
  await writeFile(temporaryName(attempt, final), 'alt');
  await prepareFiles(attempt, files);
  await placeFiles(next, other);
  expect(await readFile(final, 'utf8')).toBe('neu');
});
