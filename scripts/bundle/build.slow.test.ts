import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { buildState, ensureBuild } from './build.ts';

describe('what is built before a start', () => {
  let root: string;
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const programs = () => readdirSync(join(root, 'build/program'));

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'kontor-build-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    for (const file of [
      'package-lock.json',
      'vite.config.ts',
      'react-router.config.ts',
      'scripts/bundle/fetched-first.ts',
      'scripts/bundle/icons.ts',
      'scripts/bundle/light-calls.ts',
      'scripts/bundle/start-styles.ts',
      'seed/demo.ts',
      'src/main.ts',
      'src/shared/a.ts',
    ])
      write(file, '');
    write('package.json', '{ "type": "module" }');
    write('src/client/page.tsx', 'one');
    // Builders that produce nothing, or only a folder: the result does not matter here.
    write('node_modules/.bin/react-router', 'process.exit(0)');
    write(
      'scripts/bundle/build-program.ts',
      "import { mkdirSync } from 'node:fs'; mkdirSync(process.argv[2], { recursive: true })",
    );
  });

  it('are the pages, if they are absent or their sources changed', async () => {
    expect(buildState(root)).toBe('absent');
    await ensureBuild(root);
    expect(buildState(root)).toBe('current');
    write('src/client/page.tsx', 'two');
    expect(buildState(root)).toBe('outdated');
    await ensureBuild(root);
    expect(buildState(root)).toBe('current');
    expect(programs()).toHaveLength(1);
  });

  it('is the program, if its sources changed; pages and tests are none of them', async () => {
    const first = await ensureBuild(root);
    expect(first).toBe(join(root, 'build/program', programs()[0] ?? '', 'run.js'));
    write('src/client/page.tsx', 'two');
    write('src/main.test.ts', 'two');
    expect(await ensureBuild(root)).toBe(first);
    write('src/main.ts', 'two');
    expect(await ensureBuild(root)).not.toBe(first);
    write('src/main.ts', '');
    expect(await ensureBuild(root)).toBe(first);
  });

  it('leaves the latest programs, as one of them may be running', async () => {
    const built: string[] = [];
    for (const text of ['1', '2', '3', '4']) {
      write('src/main.ts', text);
      const folder = dirname(await ensureBuild(root));
      built.push(folder);
      utimesSync(folder, Number(text), Number(text));
    }
    expect(built.map((folder) => existsSync(folder))).toEqual([false, true, true, true]);
    // The second runs again, for example after an update was taken back.
    write('src/main.ts', '2');
    await ensureBuild(root);
    write('src/main.ts', '5');
    await ensureBuild(root);
    expect(built.map((folder) => existsSync(folder))).toEqual([false, true, false, true]);
  });

  it('a failed build stops the start with its output and is tried again', async () => {
    write('scripts/bundle/build-program.ts', "console.log('Fehler in Zeile 3'); process.exit(1)");
    await expect(ensureBuild(root)).rejects.toThrow('Der Bau des Programms ist fehlgeschlagen:\nFehler in Zeile 3');
    await expect(ensureBuild(root)).rejects.toThrow('Fehler in Zeile 3');
  });
});
