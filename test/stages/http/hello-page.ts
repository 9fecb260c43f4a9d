import type { Locator, Page, Request } from 'playwright-core';
import { signIn, type Stage, visit } from '../browser.ts';

/** Opens the hello component; returns the requests since then. The test controls the page's clock. */
export async function openHello(stage: Stage): Promise<{ page: Page; asked: Request[]; name: Locator }> {
  const page = await stage.openPage();
  await signIn(page);
  await page.clock.install();
  await visit(page, '/hallo');
  const asked: Request[] = [];
  page.on('request', (request) => {
    if (/\/live-components\/hello(\/|$)/.test(new URL(request.url()).pathname)) asked.push(request);
  });
  return { page, asked, name: page.getByRole('textbox', { name: 'Ihr Name' }) };
}

/** Answers the component's requests instead of the server. */
export const answerWith = (page: Page, status: number, contentType: string, body: string) =>
  page.route('**/api/live-components/hello{,/*}', (route) => route.fulfill({ status, contentType, body }));
