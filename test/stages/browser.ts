import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { ensureBuild } from '../../scripts/build.ts';
import { launchTestBrowser } from './chromium.ts';
import { admin, testKontor, type TestKontor } from './kontor.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The whole program with its pages and a browser in front of it. */
export type Stage = {
  kontor: TestKontor;
  /** A window with cookies of its own. Nobody is signed in yet. */
  openPage(options?: PageOptions): Promise<Page>;
  close(): Promise<void>;
};
export type PageOptions = {
  scheme?: 'light' | 'dark';
  /** Pixels. */
  width?: number;
  javaScript?: boolean;
};

let browser: Promise<Browser> | undefined;

/** One browser serves all files of a worker and ends with it: Playwright closes it on the signal, and would leave the worker alive. */
function browserOfWorker(): Promise<Browser> {
  browser ??= launchTestBrowser().then((launched) => {
    process.once('SIGTERM', () => void launched.close().finally(() => process.exit()));
    return launched;
  });
  return browser;
}

/** Builds the pages where they are stale and starts program and browser, with data that are there already if given. For `beforeAll`. */
export async function openStage(
  environment: Record<string, string> = {},
  options: { dataFolder?: string; databaseUrl?: string } = {},
): Promise<Stage> {
  ensureBuild(root);
  const launched = await browserOfWorker();
  const kontor = await testKontor(environment, { pages: true, ...options });
  const newContext = async (javaScriptEnabled: boolean) => {
    const context = await launched.newContext({
      baseURL: kontor.url,
      javaScriptEnabled,
      // Neither language nor time zone of the visitor's machine may show in a page (GEN-01).
      locale: 'en-US',
      timezoneId: 'America/Los_Angeles',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    origins.set(context, kontor.url);
    await watchPolicy(context);
    return context;
  };
  let shared: BrowserContext | undefined;
  let taken = false;
  let idle: Page | undefined;
  /** The first window of a test finds the scripts that those before it loaded, and nothing else of theirs. */
  const openContext = async (javaScript: boolean) => {
    const first = javaScript && !taken;
    const context = first ? (shared ??= await newContext(true)) : await newContext(javaScript);
    if (first) taken = true;
    if (first && idle === undefined) {
      // Chromium ends a renderer with its last page, and the next test would compile all scripts again.
      idle = await context.newPage();
      await idle.goto('/favicon.svg');
    }
    await context.clearCookies();
    await context.setOffline(false);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Storage.clearDataForOrigin', { origin: kontor.url, storageTypes: 'local_storage' });
    closeBehindTest(async () => {
      if (!first) return context.close();
      const used = context.pages().filter((one) => one !== idle);
      await Promise.all(used.map((one) => one.close()));
      taken = false;
    });
    return { context, page };
  };
  return {
    kontor,
    openPage: async ({ scheme = 'light', width = 1280, javaScript = true } = {}) => {
      const { context, page } = await openContext(javaScript);
      context.setDefaultTimeout(20_000);
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      collectErrors(page);
      expectKeptPolicy(page);
      return page;
    },
    close: async () => {
      await shared?.close();
      await kontor.close();
    },
  };
}

/** A window goes with its test: dozens of open pages, each listening and drawing, would slow down all later ones. */
function closeBehindTest(close: () => Promise<void>): void {
  try {
    onTestFinished(close);
  } catch {
    // Opened for all tests of a file, before the first of them.
  }
}

/** The program that a window's cookies are for. */
const origins = new WeakMap<BrowserContext, string>();
const originOf = (context: BrowserContext) => origins.get(context) ?? '';

/** Cookies of those who signed in before, by program and person. */
const sessions = new Map<string, Awaited<ReturnType<BrowserContext['cookies']>>>();

/**
 * Signs in without the form, which has tests of its own, as somebody who closed the first steps: they are looked at in main-job.test.ts.
 * A session that still holds is used again: a password costs time by design.
 */
export async function signIn(page: Page, principal: { email: string; password: string } = admin): Promise<void> {
  const url = originOf(page.context());
  await page.context().addCookies([{ name: 'kontor_erste_schritte', value: 'closed', url }]);
  const known = `${url} ${principal.email}`;
  const cookies = sessions.get(known);
  if (cookies !== undefined) {
    await page.context().addCookies(cookies);
    if ((await page.request.get('/api/session')).ok()) return;
  }
  const answer = await page.request.post('/api/session', {
    data: { email: principal.email, password: principal.password },
    headers: { 'x-kontor': '1' },
  });
  expect(answer.status()).toBe(200);
  sessions.set(known, await page.context().cookies(originOf(page.context())));
}

/** Goes to an address and waits until the page answers to clicks, not only until it can be seen. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await alive(page);
}

/** Waits until React has taken over the page that the server sent (GEN-06), and what was typed before with it. */
export async function alive(page: Page): Promise<void> {
  // No waitForFunction: it runs texts as code, which the content policy of the pages forbids.
  await page.evaluate(`new Promise((done) => {
    const look = () => {
      const main = document.querySelector('main');
      const taken = main !== null && Object.keys(main).some((name) => name.startsWith('__reactProps'));
      if (taken && document.documentElement.hasAttribute('data-answers')) done();
      else requestAnimationFrame(look);
    };
    look();
  })`);
}

/** Does what saves and waits for the server's answer to it: what the page says may stem from before. */
export async function saving(page: Page, press: () => Promise<void>): Promise<void> {
  const answered = page.waitForResponse(
    (answer) => answer.request().method() === 'POST' && /\/save\w*$/.test(new URL(answer.url()).pathname),
  );
  await Promise.all([answered, press()]);
  await page.getByText('Keine ungespeicherten Änderungen').waitFor();
}

/** What pages of a test did against their content security policy; refusals that a test asks for are taken out by it. */
const violations = new WeakMap<BrowserContext, string[]>();

/** What pages of this window did against their content security policy so far. A test that wants some empties it. */
export const violationsOf = (page: Page): string[] => violations.get(page.context()) ?? [];

async function watchPolicy(context: BrowserContext): Promise<void> {
  const found: string[] = [];
  violations.set(context, found);
  await context.exposeBinding('kontorViolation', ({ page }, text: string) => {
    found.push(`${new URL(page.url()).pathname}: ${text}`);
  });
  await context.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    kontorViolation([event.effectiveDirective, event.blockedURI, event.sample, event.sourceFile, event.lineNumber + ':' + event.columnNumber].join(' ')))`);
}

/** A test fails whose pages did what their policy forbids. */
function expectKeptPolicy(page: Page): void {
  try {
    onTestFinished(() => {
      expect(violationsOf(page).splice(0)).toEqual([]);
    });
  } catch {
    // Opened for all tests of a file, before the first of them.
  }
}

const errors = new WeakMap<Page, string[]>();

function collectErrors(page: Page): void {
  const found: string[] = [];
  errors.set(page, found);
  page.on('pageerror', (error) => found.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') found.push(message.text());
  });
}

/** What the page wrote to the console as errors so far, the diagnostic log of GEN-05 among it. */
export const errorsOf = (page: Page): readonly string[] => errors.get(page) ?? [];

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const axeTags = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * No finding of axe by WCAG 2.2 AA and best practice. Our pages have no frames, so it is brought into a document once and asked there:
 * the package for Playwright brings it in several times for each look, which takes longer than the look.
 */
export async function expectNoAxeFindings(page: Page, only?: readonly string[]): Promise<void> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await bringAxe(page);
  const runOnly = only ? { type: 'rule', values: only } : { type: 'tag', values: axeTags };
  // What is well need not be described node by node. Style sheets are read for a single rule, which these tags leave out as experimental.
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'], preload: { assets: ['media'] } });
  const findings = await page.evaluate(`axe.run(document, ${options}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + node.html + ' (' + node.failureSummary + ')')))`);
  expect(findings).toEqual([]);
}

/** A session of the protocol stays with its page: Chromium takes a virtual authenticator away with the end of any session of the page. */
const devtools = new WeakMap<Page, Promise<CDPSession>>();

/** By the protocol itself: V8 knows the script from the documents before, where Playwright has each document compile a text. */
async function bringAxe(page: Page): Promise<void> {
  const session = devtools.get(page) ?? page.context().newCDPSession(page);
  devtools.set(page, session);
  await (await session).send('Runtime.evaluate', { expression: axe });
}

/**
 * The same in the colours the page has and in those of the other scheme, where what is another only in its colours need not be
 * looked at twice. The page stays in the other scheme: changing back draws it all once more.
 */
export async function expectNoAxeFindingsInBoth(page: Page): Promise<void> {
  await expectNoAxeFindings(page);
  await prefer(page, (await page.evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`)) ? 'light' : 'dark');
  await expectNoAxeFindings(page, ['color-contrast', 'link-in-text-block']);
}

/** What is drawn on its way from one colour to the other is neither; frame by frame it would take longer than the look. */
async function prefer(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
  await page.evaluate(`for (const one of document.getAnimations())
    if (one.effect?.getComputedTiming().iterations !== Infinity) one.finish()`);
}

/** The page itself never scrolls sideways; what is wider scrolls in a region of its own. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
}
