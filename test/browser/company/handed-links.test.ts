import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { addMember } from '../../stages/add-member.ts';
import { openPage, openStage, signIn, type Stage, visit } from '../../stages/browser.ts';

describe('links of members and invitations', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  it('a double click makes one link: a second would make the shown one invalid', async () => {
    const email = `doppelt${Date.now()}@beispiel.de`;
    await stage.kontor.ask(api.invite, { body: { email, role: 'viewer' } });
    const person = { email: `lager${Date.now()}@beispiel.de`, password: 'Kranich-Segel-Ofen-27' };
    await addMember(stage.kontor, { ...person, name: 'Lager', role: 'viewer' });
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, '/einstellungen');
    let asked = 0;
    await page.route('**/api/{invitations,members}/**', async (route) => {
      asked += 1;
      await route.continue();
    });
    for (const [button, title] of [
      [`Neuer Link für ${email}`, `Einladung für ${email}`],
      ['Passwort-Link für Lager', 'Passwort-Link für Lager'],
    ] as const) {
      asked = 0;
      await page.getByRole('button', { name: button }).dblclick();
      const shown = page.getByRole('dialog', { name: title });
      await shown.getByRole('textbox', { name: 'Link' }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(asked).toBe(1);
      await shown.getByRole('button', { name: 'Fertig' }).click();
      await shown.waitFor({ state: 'hidden' });
    }
  });

  it('GEN-05 a link that is made after the page was left is said to be lost', async () => {
    const person = { email: `weg${Date.now()}@beispiel.de`, password: 'Kranich-Segel-Ofen-27' };
    await addMember(stage.kontor, { ...person, name: 'Weggegangen', role: 'viewer' });
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, '/einstellungen');
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/api/members/**', async (route) => {
      await promise;
      await route.continue();
    });
    const asked = page.waitForRequest('**/api/members/**');
    await page.getByRole('button', { name: 'Passwort-Link für Weggegangen' }).click();
    await asked;
    await page.locator('nav a[href="/"]').first().dispatchEvent('click');
    await page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor();
    resolve();
    const notice = page.getByRole('alert').filter({ hasText: 'Der Link wurde nicht gezeigt' });
    await notice.getByText('Passwort-Link für Weggegangen').waitFor({ timeout: 5000 });
  });

  it.each([
    ['Neuer Link für', 'invitations', 'Fehler beim Speichern'],
    ['Passwort-Link für', 'members', 'Fehler beim Anlegen'],
    ['Neue Adresse', 'exports', 'Fehler beim Speichern'],
  ])('GEN-05 „%s“ that fails after the page was left is reported where the user is', async (button, calls, title) => {
    const { kontor } = stage;
    const email = `weg${calls}${Date.now()}@beispiel.de`;
    let path = '/einstellungen';
    if (calls === 'invitations') await kontor.ask(api.invite, { body: { email, role: 'viewer' } });
    if (calls === 'members')
      await addMember(kontor, { email, password: 'Kranich-Segel-Ofen-27', name: email, role: 'viewer' });
    if (calls === 'exports') {
      const { masterid } = await kontor.ask(api.createMaster, { body: { name: 'Katalog' } });
      path = `/exports/${(await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Abruf' } })).id}`;
    }
    const page = await openPage(stage, path);
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(`**/api/${calls}/**`, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await promise;
      return route.fulfill({
        status: 500,
        json: { error: { code: 'internal', message: 'Das ging nicht.', requestId: 'r1' } },
      });
    });
    const asked = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().includes(`/api/${calls}/`),
    );
    await page.getByRole('button', { name: calls === 'exports' ? button : `${button} ${email}` }).click();
    if (calls === 'exports') await page.getByRole('dialog').getByRole('button', { name: 'Erneuern' }).click();
    await asked;
    await page.locator('nav a[href="/"]').first().dispatchEvent('click');
    await page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor();
    resolve();
    const notice = page.getByRole('alert').filter({ hasText: title });
    await notice.getByText('Das ging nicht. (Vorgang r1)').waitFor({ timeout: 5000 });
  });

  it('the buttons of two rows work at the same time, and every link is shown', async () => {
    const emails = [1, 2].map((number) => `zugleich${number}-${Date.now()}@beispiel.de`);
    for (const email of emails) await stage.kontor.ask(api.invite, { body: { email, role: 'viewer' } });
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, '/einstellungen');
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/api/invitations/**', async (route) => {
      await promise;
      await route.continue();
    });
    const buttons = emails.map((email) => page.getByRole('button', { name: `Neuer Link für ${email}` }));
    for (const button of buttons) {
      await button.focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => button.getAttribute('data-loading')).toBe('true');
    }
    resolve();
    const dialog = page.getByRole('dialog', { name: /^Einladung für zugleich/ });
    const shown: string[] = [];
    for (const _ of emails) {
      await dialog.waitFor();
      shown.push(await dialog.getByRole('heading').innerText());
      await dialog.getByRole('button', { name: 'Fertig' }).click();
      await dialog.filter({ hasText: shown.at(-1) ?? '' }).waitFor({ state: 'detached' });
    }
    expect(shown.toSorted()).toEqual(emails.map((email) => `Einladung für ${email}`));
    await expect.poll(() => page.evaluate('document.activeElement?.innerText')).toContain(`für ${emails[1]}`);
  });
});
