import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorsOf, expectNoAxeFindings, openStage, signIn, type Stage, visit } from '../../stages/browser.ts';

const path = '/einstellungen/sicherheitsprotokoll';

describe('the security log', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  it('GEN-01 accepts days typed in German format, and reports invalid ones', async () => {
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, path);
    const day = () => new URL(page.url()).searchParams.get('von');
    const from = page.getByLabel('Von', { exact: true });
    await from.click();
    await page.keyboard.type('27.11.2020', { delay: 80 });
    await expect.poll(day).toBe('2020-11-27');
    expect(await from.inputValue()).toBe('27.11.2020');
    await from.fill('31.02.2026');
    await from.press('Enter');
    await page.getByText('Bitte den Tag als TT.MM.JJJJ angeben.').waitFor();
    expect(day()).toBe('2020-11-27');
    await expectNoAxeFindings(page);
    await from.fill('1.1.21');
    await page.getByLabel('Person').focus();
    await expect.poll(day).toBe('2021-01-01');
    await from.fill('');
    await expect.poll(day).toBeNull();
    await page.goBack();
    await expect.poll(() => from.inputValue()).toBe('01.01.2021');
    expect(errorsOf(page)).toEqual([]);
  });

  it('a chosen filter is shown at once, also while its events are loading', async () => {
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, path);
    const held = Promise.withResolvers<void>();
    await page.route('**/*.data?*', async (route) => {
      await held.promise;
      await route.continue();
    });
    const result = page.getByLabel('Ergebnis');
    const asked = page.waitForRequest('**/*.data?*');
    const [value = ''] = await result.selectOption({ index: 1 });
    await asked;
    await page.waitForTimeout(200);
    expect(await result.inputValue()).toBe(value);
    held.resolve();
    await page.waitForURL(/ergebnis=/);
    expect(await result.inputValue()).toBe(value);
  });

  it('is a list on a phone and needs no sideways scroll', async () => {
    const page = await stage.openPage({ width: 390 });
    await signIn(page);
    await visit(page, path);
    const region = page.getByRole('group', { name: 'Einträge des Sicherheitsprotokolls' });
    await region.getByText('Inhaber').first().waitFor();
    const wider = await page.evaluate(
      "[...document.querySelectorAll('.k-scroll')].filter((one) => one.scrollWidth > one.clientWidth).length",
    );
    expect(wider).toBe(0);
    await expectNoAxeFindings(page);
  });

  it('shows the last page for a later one in the address, and ignores a day that does not exist', async () => {
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, `${path}?von=2026-02-31&seite=99`);
    await page.getByRole('heading', { name: 'Unversehrtheit' }).waitFor();
    await page.getByRole('table').getByText('Inhaber').first().waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(errorsOf(page)).toEqual([]);
  });
});
