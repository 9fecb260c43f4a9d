import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { storagePathsIn } from '#catalogue/storage-paths.ts';
import { KontorError } from '#platform/errors.ts';
import type { Job } from '#platform/jobs/job.ts';
import { folderStore } from '#platform/storage/folder-store.ts';
import { noMetrics } from '#platform/telemetry/metrics.ts';
import { importResultSchema } from '#shared/import/schema.ts';
import { runChild } from './child-run.ts';
import { readParquet, withFolder } from '#feed/import/reader/import-fixture.ts';
import type { ImportRequest } from '#feed/import/reader/request.ts';
import { type ImportDeps, importRunner } from './job.ts';
import { runImport } from './run-import.ts';

function requestIn(folder: string, content: string): ImportRequest {
  const file = path.join(folder, 'artikel.csv');
  fs.writeFileSync(file, content);
  return {
    file,
    originalName: 'artikel.csv',
    options: {},
    knownFields: [],
    output: path.join(folder, 'out.parquet'),
    rejectedOutput: path.join(folder, 'rejected.jsonl'),
    workFolder: path.join(folder, 'work'),
  };
}

/** Runs a child that consists of one line of code, to see how its exit is handled. */
function runCode(folder: string, code: string, silenceMs = 20_000, heapMegabytes = 64) {
  const module = path.join(folder, 'child.mjs');
  fs.writeFileSync(module, code);
  const faults: string[] = [];
  const hooks = { onProgress: () => undefined };
  return runChild({
    module,
    order: { type: 'import', request: requestIn(folder, 'a;b\n') },
    result: importResultSchema,
    hooks,
    silenceMs,
    heapMegabytes,
    onFault: (text) => faults.push(text),
  });
}

const large = `sku;name;text\n${Array.from({ length: 300_000 }, (_, index) => `A-${index};Artikel ${index};"Zeile eins\nund zwei"`).join('\n')}\n`;

describe('runImport', () => {
  test('parses in a child process, reports progress that never decreases, and leaves no temporary files', async () => {
    await withFolder(async (folder) => {
      const request = requestIn(folder, large);
      const seen: number[] = [];
      const result = await runImport(request, {
        onProgress: (progress) => seen.push(progress.bytesDone / progress.bytesTotal),
      });
      expect(result).toMatchObject({ ok: true, accepted: 300_000, rejected: 0, key: 'sku' });
      expect(seen.length).toBeGreaterThan(0);
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
      expect(seen.at(-1)).toBe(1);
      expect(fs.readdirSync(request.workFolder)).toEqual([]);
      expect(await readParquet(request.output, 'count(*), count(DISTINCT _id), typeof(any_value(_hash))')).toEqual([
        ['300000', '300000', 'UBIGINT'],
      ]);
    });
  });

  test('returns a German error for a bad file and leaves no output', async () => {
    await withFolder(async (folder) => {
      const request = requestIn(folder, 'a;b\n1;"x');
      const result = await runImport(request, { onProgress: () => undefined });
      expect(result).toMatchObject({ ok: false, code: 'truncated', line: 2 });
      expect(fs.existsSync(request.output)).toBe(false);
      expect(fs.existsSync(request.rejectedOutput)).toBe(true);
    });
  });

  test("F1 an abort kills the child, rejects with the abort's reason and removes the files", async () => {
    await withFolder(async (folder) => {
      const request = requestIn(folder, large);
      const controller = new AbortController();
      const reason = new Error('abgebrochen');
      const running = runImport(request, { onProgress: () => controller.abort(reason), signal: controller.signal });
      await expect(running).rejects.toBe(reason);
      expect(fs.existsSync(request.output)).toBe(false);
      expect(fs.readdirSync(request.workFolder)).toEqual([]);
      await expect(runImport(request, { onProgress: () => undefined, signal: controller.signal })).rejects.toBe(reason);
    });
  });
});

describe('exits of the child process', () => {
  test('F19 a child that runs out of memory yields an error result, and this process survives', async () => {
    await withFolder(async (folder) => {
      const result = await runCode(folder, 'const all = []; for (;;) all.push(new Array(100000).fill(Math.random()));');
      expect(result).toMatchObject({ ok: false, code: 'out_of_memory' });
    });
  });

  test('F1 a killed, crashed or early-exited child yields an error result', async () => {
    for (const code of ["process.kill(process.pid, 'SIGKILL')", "throw new Error('kaputt')", 'process.exit(0)']) {
      await withFolder(async (folder) =>
        expect(await runCode(folder, code)).toMatchObject({ ok: false, code: 'reader_crashed' }),
      );
    }
  });

  test('a child that reports no progress is killed', async () => {
    await withFolder(async (folder) => {
      const report =
        "process.send({ type: 'progress', progress: { bytesDone: 1, bytesTotal: 2, rows: 0, phase: 'reading', signs: 0 } })";
      expect(await runCode(folder, 'for (;;) {}', 1500)).toMatchObject({ ok: false, code: 'stuck' });
      expect(await runCode(folder, `setInterval(() => ${report}, 100)`, 1500)).toMatchObject({
        ok: false,
        code: 'stuck',
      });
    });
  });

  test('a child that reports signs of work without new bytes is not killed', async () => {
    await withFolder(async (folder) => {
      const code = `let signs = 0;
        setInterval(() => process.send({ type: 'progress', progress: { bytesDone: 1, bytesTotal: 2, rows: 0, phase: 'writing', signs: signs++ } }), 100);
        setTimeout(() => process.exit(0), 4000);`;
      expect(await runCode(folder, code, 1500)).toMatchObject({ ok: false, code: 'reader_crashed' });
    });
  });

  test('the child exits when its parent process is gone', async () => {
    await withFolder(async (folder) => {
      const pidFile = path.join(folder, 'pid');
      const childModule = new URL('./child.ts', import.meta.url).pathname;
      const parent = path.join(folder, 'parent.mjs');
      fs.writeFileSync(
        parent,
        `import { fork } from 'node:child_process'; import fs from 'node:fs';
         const child = fork(${JSON.stringify(childModule)}); fs.writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
         setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1500);`,
      );
      const { spawn } = await import('node:child_process');
      const started = spawn(process.execPath, [parent], { stdio: 'ignore' });
      await new Promise((resolve) => started.on('exit', resolve));
      const pid = Number(fs.readFileSync(pidFile, 'utf8'));
      let alive = true;
      for (let tries = 0; alive && tries < 50; tries += 1) {
        await setTimeout(100);
        alive = fs.existsSync(`/proc/${pid}/stat`) && !/\) Z /u.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
      }
      expect(alive).toBe(false);
    });
  });
});

describe('an uploaded file', () => {
  /** Runs an import whose file the store refuses with `code`; returns how it ends and which paths are removed. */
  const refused = (code: string) =>
    withFolder(async (folder) => {
      const removed: string[] = [];
      const hold = () => Promise.reject(new KontorError(503, code, 'Zurzeit nicht.'));
      const remove = async (paths: readonly string[]) => void removed.push(...paths);
      const storagePaths = storagePathsIn(folder, { ...folderStore, hold, remove });
      const quotas = { requireSpace: () => Promise.resolve() };
      const runner = importRunner({ storagePaths, quotas, metrics: noMetrics } as unknown as ImportDeps);
      const payload = JSON.stringify({ owner: 'M1', source: 'a.csv', options: {} });
      const job = { company: 'C1', id: 'R1', payload, result: '{}' } as Job;
      const context = { signal: new AbortController().signal, progress: () => undefined };
      const { state } = await runner.run(job, context);
      return { state, removed: removed.map((file) => path.relative(folder, file)) };
    });

  test.each([
    ['store_away', 'again'],
    ['disk_full', 'failed'],
    ['cache_full', 'failed'],
  ])('is kept if only the state of the installation prevents reading it: %s', async (code, state) => {
    expect(await refused(code)).toEqual({ state, removed: [] });
  });

  test('is deleted with an import that failed permanently', async () => {
    expect(await refused('file_changed')).toEqual({
      state: 'failed',
      removed: [path.join('C1', 'M1', 'incoming', 'R1')],
    });
  });
});
