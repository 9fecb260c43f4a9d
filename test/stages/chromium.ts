import { execFile } from 'node:child_process';
import { existsSync, statfsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Browsers in this order: the one that CHROME names, the system's (not in CI), the one from the npm package. */
const systemBrowser = '/usr/bin/chromium';
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // One process less to communicate with saves a seventh of the time.
  '--in-process-gpu',
  // Pages of one program share compiled code.
  '--renderer-process-limit=1',
  '--font-render-hinting=none',
];

/** Pages of tests live for seconds: a large young generation avoids most garbage collection. */
const shortLivedPages = '--js-flags=--min-semi-space-size=32 --max-semi-space-size=32';

/** Shared memory that a browser needs at most, by far. */
const sharedMemoryBytes = 512 * 1024 * 1024;

/**
 * Whether /dev/shm is large enough. Playwright makes browser processes exchange graphics by files on disk, because containers
 * often have too little shared memory.
 */
function sharesMemory(): boolean {
  if (!existsSync('/dev/shm')) return false;
  const { bavail, bsize } = statfsSync('/dev/shm');
  return bavail * bsize >= sharedMemoryBytes;
}

/** Starts a headless browser for tests. */
export const launchTestBrowser = (): Promise<Browser> =>
  launch({
    args: [...quiet, shortLivedPages],
    ignoreDefaultArgs: sharesMemory() ? ['--disable-dev-shm-usage'] : [],
  });

/** Starts a headless browser for measurements. */
export const launchBrowser = (): Promise<Browser> => launch({ args: quiet });

async function launch(options: { args: string[]; ignoreDefaultArgs?: string[] }): Promise<Browser> {
  const executablePath = await browserPath();
  // If the machine sets no language, file names of downloads would be ASCII only.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  return startBrowser({ ...options, executablePath, headless: true, env });
}

/**
 * Starts a browser, with retries: it reads its environment in one thread while another sets it, so a busy start can crash. That
 * says nothing about the pages.
 */
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
  // The packaged browser has no window system, which makes the suite a fifth faster; a developer is better served by the
  // system's.
  if (process.env['CI'] === undefined && existsSync(systemBrowser)) return systemBrowser;
  const unpacked = join(tmpdir(), 'chromium');
  if (!existsSync(unpacked)) await unpack();
  const { setupLambdaEnvironment } = await import('@sparticuz/chromium');
  // Machines without a browser often lack its libraries too; the package includes them.
  setupLambdaEnvironment(join(tmpdir(), 'al2023', 'lib'));
  return unpacked;
}

const unpackHere = `
  import packed, { inflate } from '@sparticuz/chromium';
  await inflate('node_modules/@sparticuz/chromium/bin/al2023.tar.br');
  await packed.executablePath();
`;

/**
 * Unpacks the browser to a temporary folder and moves it as a whole, the program last: a browser that another worker is still
 * writing must not be started, and one that an aborted run left incomplete would fail in every later run.
 */
async function unpack(): Promise<void> {
  const beside = await mkdtemp(join(tmpdir(), 'chromium-'));
  const options = { cwd: root, env: { ...process.env, TMPDIR: beside } };
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', unpackHere], options);
  const isProgram = (name: string): boolean => name === 'chromium';
  for (const name of (await readdir(beside)).toSorted((a, b) => Number(isProgram(a)) - Number(isProgram(b)))) {
    const place = join(tmpdir(), name);
    // Another worker moved the same folder there first.
    await rename(join(beside, name), place).catch((error: unknown) => {
      if (!existsSync(place)) throw error;
    });
  }
  await rm(beside, { recursive: true, force: true });
}
