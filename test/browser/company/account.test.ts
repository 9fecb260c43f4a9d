import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import { addMember } from '../../stages/add-member.ts';
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

type Person = { name: string; email: string; password: string };

describe("a user's own account", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  let made = 0;
  const member = async (role: 'admin' | 'editor' = 'editor'): Promise<Person> => {
    const person = { name: 'Frieda Yılmaz', email: `frieda${++made}@beispiel.de`, password: 'lampe-wolke-trecker' };
    await addMember(stage.kontor, { ...person, role });
    return person;
  };
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const fillAndSend = async (page: Page, { email, password }: Pick<Person, 'email' | 'password'>) => {
    await page.getByRole('textbox', { name: 'E-Mail-Adresse' }).fill(email);
    await page.getByLabel('Passwort', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  };
  /** Makes the proof of identity of all open sessions too old. */
  const agedProofs = () =>
    pg`update sessions set proven_at = proven_at - interval '16 minutes'`.execute(stage.kontor.database.kysely);

  it('T15 changes its password, sees its sessions, and ends all of them', async () => {
    const person = await member();
    const page = await stage.openPage();
    await signIn(page, person);
    const other = await stage.openPage();
    await visit(other, '/login');
    await fillAndSend(other, person);
    await heading(other, 'Übersicht').waitFor();
    await visit(page, '/konto');
    expect(await page.getByRole('list', { name: 'Sitzungen' }).getByRole('listitem').count()).toBe(2);
    await page.getByText('Chrome auf Linux (diese Sitzung)').waitFor();
    const card = page.getByRole('region', { name: 'Passwort' });
    await card.getByLabel('Bisheriges Passwort').fill('falsch');
    await card.getByLabel('Neues Passwort').fill('regen-kiste-fenster');
    await card.getByRole('button', { name: 'Passwort ändern' }).click();
    await card.getByText('Dieses Passwort stimmt nicht.').first().waitFor();
    await card.getByLabel('Bisheriges Passwort').fill(person.password);
    await expectNoAxeFindingsInBoth(page);
    await card.getByRole('button', { name: 'Passwort ändern' }).click();
    await page.getByRole('status').getByText('Passwort geändert').waitFor();
    await expect.poll(() => page.getByRole('list', { name: 'Sitzungen' }).getByRole('listitem').count()).toBe(1);
    await other.goto('/konto');
    await heading(other, 'Anmelden').waitFor();
    await fillAndSend(other, { ...person, password: 'regen-kiste-fenster' });
    await heading(other, 'Konto').waitFor();
    await visit(page, '/konto');
    await page.getByRole('button', { name: 'Überall abmelden' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Überall abmelden' }).click();
    await heading(page, 'Anmelden').waitFor();
    await other.goto('/konto');
    await heading(other, 'Anmelden').waitFor();
  });

  it('sets up an authenticator app, signs in with its code, and once with a recovery code', async () => {
    const person = await member();
    const page = await stage.openPage();
    await signIn(page, person);
    await visit(page, '/konto');
    await page.getByRole('button', { name: 'App einrichten' }).click();
    const dialog = page.getByRole('dialog', { name: 'Authenticator-App einrichten' });
    await dialog.getByRole('img', { name: 'QR-Code für die Authenticator-App' }).waitFor();
    const secret = /([A-Z2-7]{4} ){7}[A-Z2-7]{4}/.exec(await dialog.innerText())?.[0].replaceAll(' ', '') ?? '';
    const code = (ahead = 0) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead });
    await expectNoAxeFindings(page);
    await dialog.getByLabel('Code der App').fill(code());
    await dialog.getByRole('button', { name: 'Einrichten' }).click();
    const codes = page.getByRole('dialog', { name: 'Ihre Wiederherstellungscodes' });
    await codes.getByRole('listitem').first().waitFor();
    const shown = await codes.getByRole('listitem').allInnerTexts();
    expect(shown).toHaveLength(10);
    // Users copy each code from one line: a code broken in two would read as two.
    for (const one of await codes.getByRole('listitem').all())
      expect((await one.boundingBox())?.height).toBeLessThan(30);
    await expectNoAxeFindings(page);
    const download = page.waitForEvent('download');
    await codes.getByRole('link', { name: 'Herunterladen' }).click();
    expect((await download).suggestedFilename()).toBe('kontor-wiederherstellungscodes.txt');
    await codes.getByRole('button', { name: 'Ich habe sie aufbewahrt' }).click();
    await page.getByText('Noch 10 von 10.').waitFor();
    // New codes invalidate those just stored, so one click must not be enough.
    await page.getByRole('button', { name: 'Neue Codes erstellen' }).click();
    const renewing = page.getByRole('dialog', { name: 'Wirklich neue Wiederherstellungscodes erstellen?' });
    await renewing.getByText('Ihre bisherigen Codes gelten danach nicht mehr').waitFor();
    await renewing.getByRole('button', { name: 'Abbrechen' }).click();

    const again = await stage.openPage();
    await visit(again, '/login');
    await fillAndSend(again, person);
    await heading(again, 'Zweiter Faktor').waitFor();
    await expectNoAxeFindingsInBoth(again);
    await again.getByLabel('Code').fill('123');
    await again.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await again
      .getByRole('alert')
      .getByText('Bitte geben Sie den ganzen Code ein: die sechs Ziffern der App oder einen Wiederherstellungscode.')
      .waitFor();
    await again.getByLabel('Code').fill('000000');
    await again.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await again.getByText('Dieser Code stimmt nicht').first().waitFor();
    // The first code was used for the setup; this is the app's next one, half a minute early.
    await again.getByLabel('Code').fill(code(30_000));
    await again.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await heading(again, 'Übersicht').waitFor();

    await again.context().clearCookies();
    await visit(again, '/login');
    await fillAndSend(again, person);
    const field = again.getByLabel('Code');
    // A phone's numeric keyboard has no letters, but recovery codes have some.
    expect(await field.getAttribute('inputmode')).toBe('numeric');
    await again.getByRole('button', { name: 'Wiederherstellungscode eingeben' }).click();
    await expect.poll(() => field.getAttribute('inputmode')).toBe('text');
    await field.fill(shown[0] ?? '');
    await again.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await heading(again, 'Übersicht').waitFor();
    await visit(again, '/konto');
    await again.getByText('Noch 9 von 10.').waitFor();
    await again.getByRole('button', { name: 'Neue Codes erstellen' }).click();
    await again.getByRole('dialog').getByRole('button', { name: 'Erstellen', exact: true }).click();
    await again.getByRole('dialog', { name: 'Ihre Wiederherstellungscodes' }).getByRole('listitem').first().waitFor();
    await again.getByRole('button', { name: 'Ich habe sie aufbewahrt' }).click();
    await again.getByText('Noch 10 von 10.').waitFor();

    await again.getByRole('button', { name: 'Entfernen Authenticator-App' }).click();
    const removing = again.getByRole('dialog', { name: 'Authenticator-App wirklich entfernen?' });
    await removing.getByText('Ihre Codes gelten danach nicht mehr für die Anmeldung.').waitFor();
    await removing.getByRole('button', { name: 'Entfernen' }).click();
    await again.getByRole('button', { name: 'App einrichten' }).waitFor();
  });

  it('adds a passkey and signs in with nothing else', async () => {
    const person = await member();
    const page = await stage.openPage();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    });
    await signIn(page, person);
    await visit(page, '/konto');
    await page.getByRole('button', { name: 'Passkey hinzufügen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Passkey hinzufügen' });
    await dialog.getByLabel('Name').fill('Laptop im Büro');
    await dialog.getByRole('button', { name: 'Weiter' }).click();
    await page.getByRole('button', { name: 'Ich habe sie aufbewahrt' }).click();
    await page.getByRole('button', { name: 'Entfernen Laptop im Büro' }).waitFor();
    await expectNoAxeFindings(page);
    // A device stores one passkey per account: trying again would not help.
    await page.getByRole('button', { name: 'Passkey hinzufügen' }).click();
    await dialog.getByLabel('Name').fill('Laptop, zweiter');
    await dialog.getByRole('button', { name: 'Weiter' }).click();
    await dialog.getByRole('alert').getByText('Auf diesem Gerät gibt es schon einen Passkey').waitFor();
    await dialog.getByRole('button', { name: 'Abbrechen' }).click();

    await page.context().clearCookies();
    await visit(page, '/login');
    await page.getByRole('button', { name: 'Mit Passkey anmelden' }).click();
    await heading(page, 'Übersicht').waitFor();
    await page.context().clearCookies();
    await visit(page, '/login');
    await fillAndSend(page, person);
    await page.getByRole('button', { name: 'Mit Passkey bestätigen' }).click();
    await heading(page, 'Übersicht').waitFor();

    // A passkey does not count unless the device has verified its user.
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.context().clearCookies();
    await visit(page, '/login');
    await page.getByRole('button', { name: 'Mit Passkey anmelden' }).click();
    await page.getByRole('alert').getByText('Die Anmeldung war nicht möglich').waitFor();
    await heading(page, 'Anmelden').waitFor();
  });

  it('requires the password again before a confidential action, and typed input is kept', async () => {
    const person = await member('admin');
    const page = await stage.openPage();
    await signIn(page, person);
    await visit(page, '/einstellungen');
    await agedProofs();
    await page.getByRole('button', { name: 'Zugang anlegen' }).click();
    const dialog = page.getByRole('dialog', { name: 'API-Zugang anlegen' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Warenwirtschaft');
    await dialog.getByRole('button', { name: 'Anlegen', exact: true }).click();
    const proof = page.getByRole('dialog', { name: 'Bitte bestätigen Sie, dass Sie es sind' });
    await proof.getByLabel('Ihr Passwort').fill('falsch');
    await proof.getByRole('button', { name: 'Bestätigen' }).click();
    await proof.getByRole('alert').waitFor();
    await expectNoAxeFindings(page);
    await page.keyboard.press('Escape');
    await proof.waitFor({ state: 'hidden' });
    await dialog.getByRole('alert').getByText('Ihre Eingaben bleiben erhalten').waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Warenwirtschaft');
    // The dialog of a person with an app has a third button: the other two stay on one line.
    await page.route('**/api/account/factors', (route) =>
      route.fulfill({ json: { passkeys: [], app: true, recoveryCodes: 10, required: false } }),
    );
    await dialog.getByRole('button', { name: 'Anlegen', exact: true }).click();
    await proof.getByRole('button', { name: 'Code der App verwenden' }).waitFor();
    const topOf = async (name: string) => (await proof.getByRole('button', { name }).boundingBox())?.y;
    expect(await topOf('Bestätigen')).toBe(await topOf('Abbrechen'));
    await proof.getByLabel('Ihr Passwort').fill(person.password);
    await proof.getByRole('button', { name: 'Bestätigen' }).click();
    await page.getByRole('dialog', { name: 'Ihr neuer API-Zugang' }).waitFor();
  });

  it('requires setting up a second factor if the company demands it, and then continues', async () => {
    const person = await member();
    await stage.kontor.ask(api.saveSignInPolicy, { body: { factorRequired: true } });
    try {
      const page = await stage.openPage({ width: 320 });
      await signIn(page, person);
      await page.goto('/bestellungen');
      await heading(page, 'Zweiten Faktor einrichten').waitFor();
      await visit(page, '/zweiter-faktor');
      await expectNoAxeFindingsInBoth(page);
      await expectNoSidewaysScroll(page);
      await page.getByRole('button', { name: 'App einrichten' }).click();
      const dialog = page.getByRole('dialog', { name: 'Authenticator-App einrichten' });
      const secret = /([A-Z2-7]{4} ){7}[A-Z2-7]{4}/.exec(await dialog.innerText())?.[0].replaceAll(' ', '') ?? '';
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
      await dialog.getByLabel('Code der App').fill(code);
      await dialog.getByRole('button', { name: 'Einrichten' }).click();
      await page.getByRole('button', { name: 'Ich habe sie aufbewahrt' }).click();
      await heading(page, 'Übersicht').waitFor();
    } finally {
      // The owner has no second factor, so he cannot switch the requirement off himself.
      await stage.kontor.database.kysely.updateTable('organization').set({ second_factor_required: false }).execute();
    }
  });

  it('requests a link for a forgotten password, and sets a new one with it', async () => {
    const person = await member();
    const page = await stage.openPage({ width: 320 });
    await visit(page, '/login');
    await expectNoAxeFindingsInBoth(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('link', { name: 'Passwort vergessen?' }).click();
    await heading(page, 'Passwort vergessen').waitFor();
    await page.getByRole('textbox', { name: 'E-Mail-Adresse' }).fill(person.email);
    await expectNoAxeFindings(page);
    await page.getByRole('button', { name: 'Link anfordern' }).click();
    await heading(page, 'Bitte sehen Sie in Ihr Postfach').waitFor();
    await expectNoAxeFindings(page);
    const members = await stage.kontor.ask(api.members);
    const id = members.find(({ email }) => email === person.email)?.id ?? '';
    const { link } = await stage.kontor.ask(api.memberPasswordLink, { params: { id } });
    await visit(page, `/passwort-neu${new URL(link ?? '').hash}`);
    await expectNoAxeFindingsInBoth(page);
    await expectNoSidewaysScroll(page);
    await page.getByLabel('Neues Passwort').fill('regen-kiste-fenster');
    await page.getByRole('button', { name: 'Passwort speichern' }).click();
    await heading(page, 'Ihr neues Passwort gilt').waitFor();
    await page.getByRole('link', { name: 'Zur Anmeldung' }).click();
    await fillAndSend(page, { ...person, password: 'regen-kiste-fenster' });
    await heading(page, 'Übersicht').waitFor();
    expect(errorsOf(page)).toEqual([]);
  });
});
