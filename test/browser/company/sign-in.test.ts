import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { alive, errorsOf, openStage, signIn, type Stage, visit } from '../../stages/browser.ts';
import { admin } from '../../stages/kontor.ts';

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

  it('GEN-05 a wrong password is reported and logged, and keeps the e-mail address', async () => {
    const page = await stage.openPage();
    await visit(page, '/login');
    await fillAndSend(page, 'ganz-falsches-wort');
    await page.getByRole('alert').getByText('E-Mail-Adresse oder Passwort stimmen nicht.').waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: 'E-Mail-Adresse' }).inputValue()).toBe(admin.email);
    expect(errorsOf(page).some((line) => line.startsWith('Fehler beim Anmelden'))).toBe(true);
    await fillAndSend(page, admin.password);
    await heading(page, 'Übersicht').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  it('a page without a session leads to the sign-in and back to the requested page', async () => {
    const page = await stage.openPage();
    await visit(page, '/konto');
    expect(page.url()).toBe(`${stage.kontor.url}/login?zurueck=%2Fkonto`);
    await fillAndSend(page, admin.password);
    await heading(page, 'Konto').waitFor();
    expect(new URL(page.url()).pathname).toBe('/konto');
  });

  it('every kind of answer has the security headers, and the API document still renders', async () => {
    const page = await stage.openPage();
    await visit(page, '/login');
    const asset = await page.locator('link[href^="/assets/"]').first().getAttribute('href');
    const seen = async (path: string) => {
      const answer = await fetch(`${stage.kontor.url}${path}`);
      await answer.body?.cancel();
      const kept = ['cross-origin-opener-policy', 'cross-origin-resource-policy', 'x-content-type-options'];
      expect(
        kept.map((name) => answer.headers.get(name)),
        path,
      ).toEqual(['same-origin', 'same-origin', 'nosniff']);
      return [answer.headers.get('cache-control'), answer.headers.get('content-security-policy')?.split(';')[0]];
    };
    expect(await seen('/login')).toEqual(['no-store', "default-src 'self'"]);
    expect(await seen('/api/session')).toEqual(['no-store', "default-src 'none'"]);
    expect(await seen(asset ?? '')).toEqual(['public, max-age=31536000, immutable', "default-src 'none'"]);
    await page.goto(`${stage.kontor.url}/api/docs`);
    await page.getByText('Alle Aufrufe von Kontor').waitFor({ timeout: 30_000 });
    expect(errorsOf(page)).toEqual([]);
  });

  it('a session that ends during use leads to the sign-in and back', async () => {
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

  it('GEN-05 a session that ends over a form: the notice opens the sign-in in a new window, and the input is saved', async () => {
    const { masterid } = await stage.kontor.ask(api.createMaster, { body: { name: 'Sitzung' } });
    const { id } = await stage.kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Kanal' } });
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, `/exports/${id}/einstellungen`);
    const form = page.getByRole('form', { name: 'Prüfung neuer Stände' });
    await form.getByRole('combobox', { name: 'Aktion bei Differenz' }).selectOption('block_send');
    await page.context().clearCookies();
    await form.getByRole('button', { name: 'Speichern' }).click();
    const opened = page.context().waitForEvent('page');
    await form.getByRole('alert').getByRole('link', { name: 'Anmelden (neues Fenster)' }).click();
    const beside = await opened;
    // Sent too early, the form would load another page, and a script may close only a window that shows its first page.
    await alive(beside);
    const closed = beside.waitForEvent('close');
    await fillAndSend(beside, admin.password);
    await closed;
    await form.getByRole('button', { name: 'Speichern' }).click();
    await form.getByText('Ungespeicherte Änderungen').waitFor({ state: 'detached' });
    const { settings } = await stage.kontor.ask(api.exportDifference, { params: { id } });
    expect(settings.action_on_difference).toBe('block_send');
    // If the window stays open, it says that the user is signed in.
    await visit(page, '/login?fenster=1');
    await heading(page, 'Sie sind angemeldet').waitFor();
  });

  it('a return address of another site is not followed', async () => {
    const page = await stage.openPage();
    await visit(page, '/login?zurueck=%2F%2Fboese.example%2Fx');
    await fillAndSend(page, admin.password);
    await heading(page, 'Übersicht').waitFor();
    expect(new URL(page.url()).host).toBe(new URL(stage.kontor.url).host);
  });

  it('a signed-out user sees no page', async () => {
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
    await expect.poll(() => scheme()).toBe('light');
    await page
      .getByRole('group', { name: 'Darstellung' })
      .or(page.getByLabel('Darstellung'))
      .getByText('Dunkel')
      .click();
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
    await visit(page, '/konto');
    await expect.poll(() => scheme()).toBe('dark');
  });
});
