import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('bootstrap.cjs', import.meta.url));
const a = { 'node_modules/a': { integrity: 'sha512-a' } };
const tests = { 'node_modules/tests': { integrity: 'sha512-t', dev: true } };
const optional = { 'node_modules/for-a-system': { integrity: 'sha512-o', optional: true } };
const locked = { '': { name: 'kontor' }, ...a, ...tests, ...optional };
const other = (name: string) => ({ [`node_modules/${name}`]: { integrity: 'sha512-old' } });

describe('what is installed before a command', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kontor-bootstrap-'));
    for (const name of ['scripts', 'node_modules/.bin']) mkdirSync(join(folder, name), { recursive: true });
    copyFileSync(script, join(folder, 'scripts/bootstrap.cjs'));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: locked }));
    // Stands in for npm: writes down what it is asked for.
    writeFileSync(
      join(folder, 'npm.cjs'),
      `require('fs').writeFileSync(${JSON.stringify(join(folder, 'asked'))}, process.argv.slice(2).join(' '))`,
    );
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Returns npm's parameters if it was started. */
  const askedOfNpm = (installed: object | undefined, parameters: readonly string[]): string | undefined => {
    const file = join(folder, 'node_modules/.package-lock.json');
    if (installed !== undefined) writeFileSync(file, JSON.stringify({ packages: installed }));
    const { status } = spawnSync(process.execPath, [join(folder, 'scripts/bootstrap.cjs'), ...parameters], {
      env: { ...process.env, npm_execpath: join(folder, 'npm.cjs') },
    });
    expect(status).toBe(0);
    return existsSync(join(folder, 'asked')) ? readFileSync(join(folder, 'asked'), 'utf8') : undefined;
  };

  it.each<[string, object | undefined, string[], RegExp | undefined]>([
    ['nothing if every package for this system has its locked content', { ...a, ...tests }, [], undefined],
    ['everything if no installation was finished', undefined, [], /^ci --ignore-scripts (?!.*--omit)/],
    ['everything if a package has another content', { ...other('a'), ...tests }, [], /^ci /],
    ['everything if an optional package has another content', { ...a, ...tests, ...other('for-a-system') }, [], /^ci /],
    ['everything if a package is left that is no longer locked', { ...a, ...tests, ...other('a/b') }, [], /^ci /],
    ['no tools for the program alone', undefined, ['--program'], /^ci .*--omit=dev/],
    ['nothing for the program alone if only tools are absent', a, ['--program'], undefined],
    ['the tools in addition if only they are absent', a, [], /^install --no-save --ignore-scripts (?!.*--omit)/],
    [
      'the tools as well, if they were, for the program',
      { ...other('a'), ...tests },
      ['--program'],
      /^ci (?!.*--omit)/,
    ],
  ])('%s', (_, installed, parameters, wanted) => {
    const asked = askedOfNpm(installed, parameters);
    if (wanted === undefined) expect(asked).toBeUndefined();
    else expect(asked).toMatch(wanted);
  });
});
