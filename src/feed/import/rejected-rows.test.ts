import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { folderStore } from '#platform/storage/folder-store.ts';
import { readRejected } from './routes.ts';

it('rejected rows are shown that contain the line separators of Unicode', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-rejected-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const rows = [1, 2].map((line) => ({
    kind: 'rejected',
    line,
    raw: `S${line};Hose\u2028blau\u2029`,
    reason: 'zu viele Spalten',
  }));
  const path = join(folder, 'rejected.jsonl');
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const page = await readRejected({ store: folderStore }, path, { offset: 1, limit: 10 });
  expect(page).toEqual({ rows: rows.slice(1), total: 2 });
});
