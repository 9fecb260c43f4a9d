import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { buildState, ensureBuild } from './build.ts';

it('tells whether the client build is absent, outdated or current', () => {
  const root = mkdtempSync(join(tmpdir(), 'kontor-build-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write = (file: string, text: string) => {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  for (const file of [
    'package-lock.json',
    'vite.config.ts',
    'react-router.config.ts',
    'scripts/icons.ts',
    'scripts/light-calls.ts',
    'scripts/start-styles.ts',
    'src/shared/a.ts',
  ])
    write(file, '');
  write('src/client/page.tsx', 'one');
  // A builder that produces nothing: the result does not matter here.
  write('node_modules/.bin/react-router', 'process.exit(0)');
  expect(buildState(root)).toBe('absent');
  ensureBuild(root);
  expect(buildState(root)).toBe('current');
  write('src/client/page.tsx', 'two');
  expect(buildState(root)).toBe('outdated');
  ensureBuild(root);
  expect(buildState(root)).toBe('current');
});
