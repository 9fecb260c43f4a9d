import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorsOf, openStage, signIn, type Stage, visit } from '../stages/browser.ts';
import { admin } from '../stages/kontor.ts';

describe('signing in and out', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  const fillAndSend = async (page: Page, password: string) => {
    await page.getByRole('textbox', { name: 'E-Mail-Adresse' }).fill(admin.email);
    await page.getByLabel('Passwort', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  };
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

  it('GEN-05 a wrong password says so, stands in the log and keeps the e-mail address', async () => {
    const page = await stage.openPage();
    await visit(page, '/login');
    await fillAndSend(page, 'ganz-falsches-wort');
    await page.getByRole('alert').getByText('E-Mail-Adresse oder Passwort stimmen nicht.').waitFor();
    expect(await page.getByRole('textbox', { name: 'E-Mail-Adresse' }).inputValue()).toBe(admin.email);
    expect(errorsOf(page).some((line) => line.startsWith('Fehler beim Anmelden'))).toBe(true);
    await fillAndSend(page, admin.password);
    await heading(page, 'Übersicht').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  it('a page without a session leads to the sign-in and back to where one wanted to go', async () => {
    const page = await stage.openPage();
    await visit(page, '/konto');
    expect(page.url()).toBe(`${stage.kontor.url}/login?zurueck=%2Fkonto`);
    await fillAndSend(page, admin.password);
    await heading(page, 'Konto').waitFor();
    expect(new URL(page.url()).pathname).toBe('/konto');
  });

  it('a session that ends while one works leads to the sign-in and back', async () => {
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, '/');
    await page.context().clearCookies();
    await page
      .getByRole('navigation', { name: 'Hauptnavigation' })
      .getByRole('link', { name: 'Einstellungen' })
      .click();
    await heading(page, 'Anmelden').waitFor();
    await fillAndSend(page, admin.password);
    await heading(page, 'Einstellungen').waitFor();
  });

  it('a return address of another site is not followed', async () => {
    const page = await stage.openPage();
    await visit(page, '/login?zurueck=%2F%2Fboese.example%2Fx');
    await fillAndSend(page, admin.password);
    await heading(page, 'Übersicht').waitFor();
    expect(new URL(page.url()).host).toBe(new URL(stage.kontor.url).host);
  });

  it('who signs out sees nothing more', async () => {
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, '/');
    await page.getByRole('button', { name: /^Konto von/ }).click();
    await page.getByRole('button', { name: 'Abmelden' }).click();
    await heading(page, 'Anmelden').waitFor();
    await page.goto('/einstellungen');
    expect(new URL(page.url()).pathname).toBe('/login');
  });

  it('the chosen colours stay after a reload', async () => {
    const page = await stage.openPage({ scheme: 'light' });
    await signIn(page);
    await visit(page, '/konto');
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
    expect(await scheme()).toBe('light');
    await page
      .getByRole('group', { name: 'Darstellung' })
      .or(page.getByLabel('Darstellung'))
      .getByText('Dunkel')
      .click();
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
    await visit(page, '/konto');
    expect(await scheme()).toBe('dark');
  });
});
