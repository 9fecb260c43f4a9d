import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Tried in this order: the one that CHROME names, the system's (not in CI), the one from the npm package. */
const systemBrowser = '/usr/bin/chromium';
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // One process less to talk to: a seventh of the time.
  '--in-process-gpu',
  // Pages of one program share what is compiled already.
  '--renderer-process-limit=1',
  '--font-render-hinting=none',
];

/** Pages of tests live for seconds: what they leave behind in memory goes as a whole. */
const shortLivedPages = '--js-flags=--min-semi-space-size=32 --max-semi-space-size=32';

/** Bytes that a browser needs there at most, by far. */
const sharedMemoryBytes = 512 * 1024 * 1024;

/** Playwright has the processes of a browser share what they draw by files on the disk, since containers often have hardly any memory for it. */
function sharesMemory(): boolean {
  if (!existsSync('/dev/shm')) return false;
  const { bavail, bsize } = statfsSync('/dev/shm');
  return bavail * bsize >= sharedMemoryBytes;
}

/** A browser without a window for tests. */
export const launchTestBrowser = (): Promise<Browser> =>
  launch({
    args: [...quiet, shortLivedPages],
    ignoreDefaultArgs: sharesMemory() ? ['--disable-dev-shm-usage'] : [],
  });

/** A browser without a window for figures. */
export const launchBrowser = (): Promise<Browser> => launch({ args: quiet });

async function launch(options: { args: string[]; ignoreDefaultArgs?: string[] }): Promise<Browser> {
  const executablePath = await browserPath();
  // Where a machine names no language, the names of downloads are ASCII alone.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  return chromium.launch({ ...options, executablePath, headless: true, env });
}

async function browserPath(): Promise<string> {
  const named = process.env['CHROME'];
  if (named !== undefined && named !== '') return named;
  // The packed one has no windows to draw, which makes the whole suite a fifth shorter; people have more use for their own.
  if (process.env['CI'] === undefined && existsSync(systemBrowser)) return systemBrowser;
  const { default: packed, inflate, setupLambdaEnvironment } = await import('@sparticuz/chromium');
  // Machines without a browser often lack its libraries too; the package brings them along.
  await inflate(join(root, 'node_modules/@sparticuz/chromium/bin/al2023.tar.br'));
  setupLambdaEnvironment(join(tmpdir(), 'al2023', 'lib'));
  return packed.executablePath();
}
