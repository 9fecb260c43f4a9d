import { execFile } from 'node:child_process';
import { existsSync, statfsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

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
  return startBrowser({ ...options, executablePath, headless: true, env });
}

/** A browser reads its environment in one thread while another sets it: at a busy start it can crash, which tells nothing of the pages. */
async function startBrowser(options: LaunchOptions, tries = 4): Promise<Browser> {
  try {
    return await chromium.launch(options);
  } catch (error) {
    if (tries === 1 || !(error instanceof Error) || !error.message.includes('signal=SIGSEGV')) throw error;
    return startBrowser(options, tries - 1);
  }
}

async function browserPath(): Promise<string> {
  const named = process.env['CHROME'];
  if (named !== undefined && named !== '') return named;
  // The packed one has no windows to draw, which makes the whole suite a fifth shorter; people have more use for their own.
  if (process.env['CI'] === undefined && existsSync(systemBrowser)) return systemBrowser;
  const unpacked = join(tmpdir(), 'chromium');
  if (!existsSync(unpacked)) await unpack();
  const { setupLambdaEnvironment } = await import('@sparticuz/chromium');
  // Machines without a browser often lack its libraries too; the package brings them along.
  setupLambdaEnvironment(join(tmpdir(), 'al2023', 'lib'));
  return unpacked;
}

const unpackHere = `
  import packed, { inflate } from '@sparticuz/chromium';
  await inflate('node_modules/@sparticuz/chromium/bin/al2023.tar.br');
  await packed.executablePath();
`;

/**
 * Unpacks the browser beside its place and moves it there as a whole, the program last: what a worker beside this one still
 * writes cannot be started, and what an ended run left half written would fail in each run after it.
 */
async function unpack(): Promise<void> {
  const beside = await mkdtemp(join(tmpdir(), 'chromium-'));
  const options = { cwd: root, env: { ...process.env, TMPDIR: beside } };
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', unpackHere], options);
  const isProgram = (name: string): boolean => name === 'chromium';
  for (const name of (await readdir(beside)).toSorted((a, b) => Number(isProgram(a)) - Number(isProgram(b)))) {
    const place = join(tmpdir(), name);
    // A folder that another worker has moved there first is the same.
    await rename(join(beside, name), place).catch((error: unknown) => {
      if (!existsSync(place)) throw error;
    });
  }
  await rm(beside, { recursive: true, force: true });
}
