import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { ensureBuild } from '../../scripts/build.ts';
import { admin, testKontor, type TestKontor } from './kontor.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** In this order: one that is named, the system's, the one that comes with the packages. */
const systemBrowser = '/usr/bin/chromium';
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

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

/** Builds the pages where they are stale and starts program and browser. For `beforeAll`. */
export async function openStage(environment: Record<string, string> = {}): Promise<Stage> {
  ensureBuild(root);
  const browser = await launchBrowser();
  const kontor = await testKontor(environment, { pages: true });
  return {
    kontor,
    openPage: async ({ scheme = 'light', width = 1280, javaScript = true } = {}) => {
      const context = await browser.newContext({
        baseURL: kontor.url,
        colorScheme: scheme,
        viewport: { width, height: 900 },
        javaScriptEnabled: javaScript,
        // Neither language nor time zone of the visitor's machine may show in a page (GEN-01).
        locale: 'en-US',
        timezoneId: 'America/Los_Angeles',
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      context.setDefaultTimeout(20_000);
      const page = await context.newPage();
      collectErrors(page);
      return page;
    },
    close: async () => {
      await browser.close();
      await kontor.close();
    },
  };
}

async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await browserPath(), headless: true, args: quiet });
}

async function browserPath(): Promise<string> {
  const named = process.env['CHROME'];
  if (named !== undefined && named !== '') return named;
  if (existsSync(systemBrowser)) return systemBrowser;
  const { default: packed, inflate, setupLambdaEnvironment } = await import('@sparticuz/chromium');
  // Machines without a browser often lack its libraries too; the package brings them along.
  await inflate(join(root, 'node_modules/@sparticuz/chromium/bin/al2023.tar.br'));
  setupLambdaEnvironment(join(tmpdir(), 'al2023', 'lib'));
  return packed.executablePath();
}

/** Signs in without the form, which has tests of its own. */
export async function signIn(page: Page, who: { email: string; password: string } = admin): Promise<void> {
  const answer = await page.request.post('/api/session', {
    data: { email: who.email, password: who.password },
    headers: { 'x-kontor': '1' },
  });
  expect(answer.status()).toBe(200);
}

/** Goes to an address and waits until the page answers to clicks, not only until it can be seen. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await alive(page);
}

/** Waits until React has taken over the page that the server sent (GEN-06). */
export async function alive(page: Page): Promise<void> {
  // No waitForFunction: it runs texts as code, which the content policy of the pages forbids.
  await page.evaluate(`new Promise((done) => {
    const look = () => {
      const main = document.querySelector('main');
      const taken = main !== null && Object.keys(main).some((name) => name.startsWith('__reactProps'));
      if (taken) done();
      else requestAnimationFrame(look);
    };
    look();
  })`);
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

/** No finding of axe by WCAG 2.2 AA and best practice. */
export async function expectNoAxeFindings(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const findings = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} (${failureSummary})`).join('\n')}`,
  );
  expect(findings).toEqual([]);
}

/** The page itself never scrolls sideways; what is wider scrolls in a region of its own. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
}
