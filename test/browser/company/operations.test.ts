import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import {
  errorsOf,
  expectNoAxeFindings,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  openStage,
  signIn,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';

describe('the page of the operator', () => {
  let stage: Stage;
  let page: Page;
  beforeAll(async () => {
    stage = await openStage();
    const { kontor } = stage;
    const { id: company } = (await kontor.ask(api.session)).company;
    const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer', { key: 'sku' });
    const body = { name: 'Export', format: { kind: 'csv' as const } };
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body });
    const jobs = [
      { id: 'gescheitert1', kind: 'export', payload: { owner: id } },
      { id: 'gescheitert2', kind: 'maintenance', payload: {} },
      { id: 'gescheitert3', kind: 'maintenance', payload: {} },
      { id: 'gescheitert4', kind: 'prices', payload: {} },
    ];
    const at = (index: number) => new Date(Date.now() - index * 60_000);
    const rows = jobs.map(({ id, kind, payload }, index) => {
      const ended = { state: 'failed' as const, finished_at: at(index) };
      return { company, id, kind, subject: id, payload: JSON.stringify(payload), ...ended };
    });
    await kontor.database.system((trx) => trx.insertInto('jobs').values(rows).execute());
  }, 120_000);
  afterAll(() => stage.close());

  it('failed jobs are retried by keyboard: a chosen one, then all of a kind', async () => {
    page = await stage.openPage();
    await signIn(page);
    await visit(page, '/betrieb');
    const table = page.getByRole('region', { name: 'Gescheiterte Läufe' }).getByRole('table');
    await table.getByRole('row', { name: /Preismeldung/ }).waitFor();
    expect(await table.getByRole('checkbox').count()).toBe(3);
    const chosen = page.getByRole('button', { name: /^Ausgewählte/ });
    expect(await chosen.isDisabled()).toBe(true);
    await table.getByRole('checkbox', { name: /^Auswählen: Meine Firma: Export/ }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Ausgewählte (1) …' }).focus();
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: 'Erneut versuchen?' });
    await question.getByText('1 ausgewählter Lauf').waitFor();
    await expectNoAxeFindings(page);
    // The harmless button has the focus; Escape does the same, and returns the focus.
    await expect
      .poll(() => question.getByRole('button', { name: 'Abbrechen' }).and(page.locator(':focus')).count())
      .toBe(1);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    await expect.poll(() => chosen.and(page.locator(':focus')).count()).toBe(1);
    await page.keyboard.press('Enter');
    await question.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('1 Lauf erneut gestartet').waitFor();
    await table.getByRole('row', { name: /Export.*erneut versucht/ }).waitFor();

    await page.getByRole('button', { name: 'Alle „Nächtliche Pflege“ (2) …' }).click();
    await question.getByRole('button', { name: 'Erneut versuchen' }).click();
    await page.getByRole('status').getByText('2 Läufe erneut gestartet').waitFor();
    await expect.poll(() => table.getByRole('checkbox').count()).toBe(0);
    // No failed job of the last day can be retried any more.
    await page.getByRole('group', { name: 'Erneut versuchen' }).waitFor({ state: 'detached' });
    expect(errorsOf(page)).toEqual([]);
  });

  it('the operator pauses jobs, sees that in the header, and resumes them', async () => {
    page = await stage.openPage();
    await signIn(page);
    await visit(page, '/betrieb');
    await page.getByRole('button', { name: 'Läufe anhalten …' }).click();
    const question = page.getByRole('dialog', { name: 'Keine neuen Läufe beginnen?' });
    await question.getByText('Was läuft, kommt zu seinem Ende').waitFor();
    await expectNoAxeFindings(page);
    await question.getByRole('button', { name: 'Anhalten' }).click();
    await page.getByText(/^Angehalten seit .* Neue Läufe warten;/).waitFor();
    await page.getByRole('banner').getByText('Läufe angehalten').waitFor();
    await expectNoAxeFindingsInBoth(page);
    await page.setViewportSize({ width: 320, height: 900 });
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Wieder beginnen' }).click();
    await page.getByRole('button', { name: 'Läufe anhalten …' }).waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  it('a question does not show the failure of an earlier one', async () => {
    page = await stage.openPage();
    await signIn(page);
    await visit(page, '/betrieb');
    await page.route('**/api/installation/**', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 500, body: 'weg' }) : route.continue(),
    );
    for (const [button, name, confirm] of [
      ['Läufe anhalten …', 'Keine neuen Läufe beginnen?', 'Anhalten'],
      ['Leeren …', 'Prozess leeren?', 'Leeren'],
    ] as const) {
      const question = page.getByRole('dialog', { name });
      await page.getByRole('button', { name: button }).first().click();
      await question.getByRole('button', { name: confirm }).click();
      await question.getByRole('alert').waitFor();
      await question.getByRole('button', { name: 'Abbrechen' }).click();
      await question.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: button }).first().click();
      await question.getByRole('button', { name: confirm }).waitFor();
      expect(await question.getByRole('alert').count()).toBe(0);
      await question.getByRole('button', { name: 'Abbrechen' }).click();
      await question.waitFor({ state: 'detached' });
    }
  });

  it('the operator drains a process by keyboard, is warned that it is the only one, and resumes it', async () => {
    page = await stage.openPage();
    await signIn(page);
    await visit(page, '/betrieb');
    const row = page.getByRole('region', { name: 'Prozesse' }).getByRole('row', { name: /Seiten und Läufe/ });
    await row.getByText('arbeitet').waitFor();
    await row.getByRole('button', { name: 'Leeren …' }).focus();
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: 'Prozess leeren?' });
    await question.getByText('Es ist der einzige, der Läufe beginnt').waitFor();
    await expectNoAxeFindings(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await row.getByText(/^leer, seit .* von /).waitFor();
    await row.getByRole('button', { name: 'Wieder beginnen' }).click();
    await row.getByText('arbeitet').waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  it('is readable in both colour schemes and on a phone', async () => {
    page = await stage.openPage();
    await signIn(page);
    await visit(page, '/betrieb');
    await expectNoAxeFindingsInBoth(page);
    await page.setViewportSize({ width: 320, height: 900 });
    await expectNoSidewaysScroll(page);
    // No table scrolls sideways either: each row is displayed as a list, but is still a row.
    const wider =
      "[...document.querySelectorAll('.k-scroll')].filter((one) => one.scrollWidth > one.clientWidth).length";
    expect(await page.evaluate(wider)).toBe(0);
    await page.getByRole('row', { name: /^Preismeldung Meine Firma/ }).waitFor();
    await expectNoAxeFindings(page);
  });
});
