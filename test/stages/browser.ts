import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, CDPSession, Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { ensureBuild } from '../../scripts/bundle/build.ts';
import { launchTestBrowser } from './chromium.ts';
import { admin, testKontor, type TestKontor } from './kontor.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The whole program with its pages and a browser in front of it. */
export type Stage = {
  kontor: TestKontor;
  /** Opens a page in a context with cookies of its own, not signed in. */
  openPage(options?: PageOptions): Promise<Page>;
  close(): Promise<void>;
};
export type PageOptions = {
  scheme?: 'light' | 'dark';
  /** Width in pixels. */
  width?: number;
  javaScript?: boolean;
};

let browser: Promise<Browser> | undefined;

/**
 * Returns the worker's browser, shared by all its files. Playwright would close it on the signal but keep the worker alive, so
 * the worker exits too.
 */
function browserOfWorker(): Promise<Browser> {
  browser ??= launchTestBrowser().then((launched) => {
    process.once('SIGTERM', () => void launched.close().finally(() => process.exit()));
    return launched;
  });
  return browser;
}

/** Builds the pages if they are outdated and starts program and browser, on existing data if given. For `beforeAll`. */
export async function openStage(
  environment: Record<string, string> = {},
  options: { dataFolder?: string; databaseUrl?: string } = {},
): Promise<Stage> {
  await ensureBuild(root);
  const launched = await browserOfWorker();
  const kontor = await testKontor(environment, { pages: true, ...options });
  const newContext = async (javaScriptEnabled: boolean) => {
    const context = await launched.newContext({
      baseURL: kontor.url,
      javaScriptEnabled,
      // Pages must not depend on the language or time zone of the user's machine (GEN-01).
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
  /** The first page of a test reuses the scripts that earlier tests loaded, and nothing else of theirs. */
  const openContext = async (javaScript: boolean) => {
    const first = javaScript && !taken;
    const context = first ? (shared ??= await newContext(true)) : await newContext(javaScript);
    if (first) taken = true;
    if (first && idle === undefined) {
      // Chromium ends a renderer with its last page, and the next test would have to compile all scripts again.
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

/** Closes a page at the end of its test: dozens of open pages, each listening and drawing, would slow down later ones. */
function closeBehindTest(close: () => Promise<void>): void {
  try {
    onTestFinished(close);
  } catch {
    // Opened in `beforeAll`, outside any test.
  }
}

/** The program's address, by browser context. */
const origins = new WeakMap<BrowserContext, string>();
const originOf = (context: BrowserContext) => origins.get(context) ?? '';

/** Cookies of earlier sign-ins, by program and user. */
const sessions = new Map<string, Awaited<ReturnType<BrowserContext['cookies']>>>();

/**
 * Signs in without the form, which has tests of its own, as a user who closed the first steps (tested in main-job.test.ts). A
 * valid session is reused: verifying a password is slow by design.
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

/** Opens an address and waits until the page reacts to clicks, not only until it is visible. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await alive(page);
}

/** Opens a path in a page of its own, as the signed-in owner; `before` prepares the page, for instance its answers. */
export async function openPage(
  stage: Stage,
  path: string,
  options: PageOptions = {},
  before?: (page: Page) => Promise<void>,
): Promise<Page> {
  const page = await stage.openPage(options);
  await signIn(page);
  await before?.(page);
  await visit(page, path);
  return page;
}

/** Waits until React has hydrated the server's page (GEN-06), including what was typed before. */
export async function alive(page: Page): Promise<void> {
  // Not waitForFunction: it evaluates text, which the pages' content security policy forbids.
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

/** Runs an action that saves, and waits for the server's answer: a message on the page may be from an earlier save. */
export async function saving(page: Page, press: () => Promise<void>): Promise<void> {
  const answered = page.waitForResponse(
    (answer) => answer.request().method() === 'POST' && /\/save\w*$/.test(new URL(answer.url()).pathname),
  );
  await Promise.all([answered, press()]);
  await page.getByText('Keine ungespeicherten Änderungen').waitFor();
}

/** Violations of the content security policy by browser context; a test that expects some removes them. */
const violations = new WeakMap<BrowserContext, string[]>();

/** Returns this page's violations of its content security policy so far. A test that expects some empties the list. */
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

/** Fails a test whose pages violated their content security policy. */
function expectKeptPolicy(page: Page): void {
  try {
    onTestFinished(() => {
      expect(violationsOf(page).splice(0)).toEqual([]);
    });
  } catch {
    // Opened in `beforeAll`, outside any test.
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

/** Returns the errors that the page has written to the console, including GEN-05's diagnostic log. */
export const errorsOf = (page: Page): readonly string[] => errors.get(page) ?? [];

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const axeTags = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Expects no findings of axe for WCAG 2.2 AA and best practice. Our pages have no frames, so axe is loaded once per document:
 * Playwright's own package loads it several times per check, which takes longer than the check.
 */
export async function expectNoAxeFindings(page: Page, only?: readonly string[]): Promise<void> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await bringAxe(page);
  const runOnly = only ? { type: 'rule', values: only } : { type: 'tag', values: axeTags };
  // Passed rules need no description per node. Only one rule reads style sheets, and these tags exclude it as experimental.
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'], preload: { assets: ['media'] } });
  const findings = await page.evaluate(`axe.run(document, ${options}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + node.html + ' (' + node.failureSummary + ')')))`);
  expect(findings).toEqual([]);
}

/** Kept open: Chromium removes a page's virtual authenticator when any of its DevTools sessions ends. */
const devtools = new WeakMap<Page, Promise<CDPSession>>();

/** Loads axe by the DevTools protocol: V8 caches the script across documents, whereas Playwright has each document compile it. */
async function bringAxe(page: Page): Promise<void> {
  const session = devtools.get(page) ?? page.context().newCDPSession(page);
  devtools.set(page, session);
  await (await session).send('Runtime.evaluate', { expression: axe });
}

/**
 * Runs the check in the page's colour scheme and in the other one, where only rules about colours are checked again. The page
 * stays in the other scheme: changing back would render it once more.
 */
export async function expectNoAxeFindingsInBoth(page: Page): Promise<void> {
  await expectNoAxeFindings(page);
  await prefer(page, (await page.evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`)) ? 'light' : 'dark');
  await expectNoAxeFindings(page, ['color-contrast', 'link-in-text-block']);
}

/**
 * Waits until the colour transition is over: colours in between belong to neither scheme, and waiting frame by frame would take
 * longer.
 */
async function prefer(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
  await page.evaluate(`for (const one of document.getAnimations())
    if (one.effect?.getComputedTiming().iterations !== Infinity) one.finish()`);
}

/** Returns the text that a screen reader reads in addition to an element's name. */
export async function describedBy(element: Locator): Promise<string> {
  const id = await element.getAttribute('aria-describedby');
  return element.page().locator(`[id="${id}"]`).innerText();
}

/** Expects that the page itself does not scroll sideways; wide content scrolls in a region of its own. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
}
