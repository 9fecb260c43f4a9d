import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('bootstrap.cjs', import.meta.url));
const locked = {
  '': { name: 'kontor' },
  'node_modules/a': { integrity: 'sha512-a' },
  'node_modules/tests': { integrity: 'sha512-t', dev: true },
  'node_modules/for-another-system': { integrity: 'sha512-o', optional: true },
};
const { 'node_modules/a': a, 'node_modules/tests': tests } = locked;

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
  const askedOfNpm = (installed: object | undefined, ...parameters: string[]): string | undefined => {
    const file = join(folder, 'node_modules/.package-lock.json');
    if (installed !== undefined) writeFileSync(file, JSON.stringify({ packages: installed }));
    const { status } = spawnSync(process.execPath, [join(folder, 'scripts/bootstrap.cjs'), ...parameters], {
      env: { ...process.env, npm_execpath: join(folder, 'npm.cjs') },
    });
    expect(status).toBe(0);
    return existsSync(join(folder, 'asked')) ? readFileSync(join(folder, 'asked'), 'utf8') : undefined;
  };

  it('nothing if every package for this system has its locked content', () => {
    expect(askedOfNpm({ 'node_modules/a': a, 'node_modules/tests': tests })).toBeUndefined();
  });

  it('everything if no installation was finished', () => {
    expect(askedOfNpm(undefined)).toMatch(/^ci --ignore-scripts /);
  });

  it('everything if a package has another content than the locked one', () => {
    const old = { integrity: 'sha512-old' };
    expect(askedOfNpm({ 'node_modules/a': old, 'node_modules/tests': tests })).toMatch(/^ci /);
  });

  it('for the program alone no packages of the tests', () => {
    expect(askedOfNpm(undefined, '--program')).toMatch(/^ci .*--omit=dev/);
  });

  it('nothing for the program alone if only packages of the tests are absent, which the tests install', () => {
    expect(askedOfNpm({ 'node_modules/a': a }, '--program')).toBeUndefined();
    expect(askedOfNpm({ 'node_modules/a': a })).toMatch(/^ci (?!.*--omit)/);
  });
});
