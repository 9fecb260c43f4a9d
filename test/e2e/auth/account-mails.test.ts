import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Secret, TOTP } from 'otpauth';
import { createCompany, createUser } from '#auth/auth.ts';
import { Egress } from '#platform/egress/egress.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { freePort } from '../../servers/postgres.ts';
import { addMember } from '../../stages/add-member.ts';
import { admin, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { mailStage, secretIn, type MailStage } from '../../stages/mail-stage.ts';
import { Visitor } from '../../stages/http/visitor.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

describe('e-mails about accounts', () => {
  const clock = { time: new Date('2026-03-10T08:00:00Z').getTime(), now: () => new Date(clock.time) };
  let kontor: TestKontor;
  let mails: MailStage;
  beforeAll(async () => {
    kontor = await testKontor({}, { clock });
    mails = await mailStage();
    await mails.setUp(kontor);
  });
  afterAll(async () => {
    await kontor.close();
    await mails.close();
  });
  beforeEach(() => {
    clock.time += day;
  });

  let made = 0;
  const member = async () => {
    const person = { name: 'Jo Ahrens', email: `jo${++made}@beispiel.de`, password: 'lampe-wolke-trecker' };
    await addMember(kontor, { ...person, role: 'editor' });
    return person;
  };
  const resetLinkOf = async (email: string) => {
    const before = mails.countTo(email);
    await new Visitor(kontor).ask(api.forgotPassword, { body: { email } });
    return secretIn(await mails.newestTo(email, before + 1));
  };
  /** Does something before the next connection to the mail server. */
  const whileConnecting = (work: () => Promise<unknown>) => {
    const open = vi.spyOn(Egress.prototype, 'open');
    onTestFinished(() => open.mockRestore());
    open.mockImplementationOnce(async function (this: Egress, ...args) {
      await work();
      return this.open(...args);
    });
  };

  describe('a forgotten password', () => {
    it('is reset through a one-time link; all sessions end and the owner gets an e-mail', async () => {
      const person = await member();
      const before = new Visitor(kontor);
      await before.signIn(person);
      const token = await resetLinkOf(person.email);
      expect(token).not.toBe('');
      const visitor = new Visitor(kontor);
      const reset = (password: string) => visitor.outcome(api.resetPassword, { body: { token, password } });
      expect(await reset('passwort1234')).toEqual([422, 'weak_password']);
      expect(await reset('regen-kiste-fenster')).toEqual([200, 'ok']);
      expect(await reset('wolke-anker-birne')).toEqual([422, 'link_over']);
      expect((await visitor.send(api.session)).status).toBe(401);
      expect((await before.send(api.session)).status).toBe(401);
      expect((await visitor.signIn(person)).status).toBe(401);
      expect((await visitor.signIn({ ...person, password: 'regen-kiste-fenster' })).status).toBe(200);
      const told = await mails.newestTo(person.email, 2);
      expect(told).toContain('soeben geändert');
      // Tells users what to do, even if they are the only owner.
      expect(told).toMatch(/„Passwort vergessen\?“\):\s+http\S+\/passwort-vergessen\s/);
    });

    it('T16 an unknown address gets the same answer, and no e-mail', async () => {
      const visitor = new Visitor(kontor);
      const answers = [];
      for (const email of [(await member()).email, 'niemand@beispiel.de']) {
        const answer = await visitor.send(api.forgotPassword, { body: { email } });
        answers.push([answer.status, await answer.text(), [...answer.headers.keys()].toSorted()]);
      }
      expect(answers[0]).toEqual(answers[1]);
      // A link to an unknown address would have been sent before this one.
      await resetLinkOf((await member()).email);
      expect(mails.countTo('niemand@beispiel.de')).toBe(0);
    });

    it('the link is valid for 30 minutes, and a newer link invalidates it', async () => {
      const { email } = await member();
      const reset = (token: string) =>
        new Visitor(kontor).outcome(api.resetPassword, { body: { token, password: 'regen-kiste-fenster' } });
      const late = await resetLinkOf(email);
      clock.time += 30 * minute + 1;
      expect(await reset(late)).toEqual([422, 'link_over']);
      const first = await resetLinkOf(email);
      const second = await resetLinkOf(email);
      expect(await reset(first)).toEqual([422, 'link_over']);
      expect(await reset(second)).toEqual([200, 'ok']);
    });

    it('a link replaced while its mail is on the way to the server is not sent: it would be dead', async () => {
      const person = await member();
      const members = await kontor.ask(api.members);
      const params = { id: members.find(({ email }) => email === person.email)?.id ?? '' };
      const session = new Visitor(kontor);
      await session.signIn(admin);
      whileConnecting(() => kontor.ask(api.memberPasswordLink, { params }));
      expect(await session.outcome(api.memberPasswordLink, { params })).toEqual([409, 'reset_changed']);
      expect(mails.countTo(person.email)).toBe(1);
      whileConnecting(() => kontor.ask(api.memberPasswordLink, { params }));
      await kontor.ask(api.forgotPassword, { body: { email: person.email } });
      await mails.newestTo(person.email, 2);
      await wait(500);
      expect(mails.countTo(person.email)).toBe(2);
    });

    it('a password reset does not bypass the second factor', async () => {
      const person = await member();
      const visitor = new Visitor(kontor);
      await visitor.signIn(person);
      const { secret } = await visitor.ask(api.startApp);
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.time });
      await visitor.ask(api.confirmApp, { body: { code } });
      expect(await mails.newestTo(person.email)).toContain('Authenticator-App wurde eingerichtet');
      const token = await resetLinkOf(person.email);
      const thief = new Visitor(kontor);
      const password = 'regen-kiste-fenster';
      await thief.ask(api.resetPassword, { body: { token, password } });
      expect(thief.cookies.has('kontor')).toBe(false);
      expect(await thief.ask(api.signIn, { body: { email: person.email, password } })).toMatchObject({ app: true });
      expect((await thief.send(api.session)).status).toBe(401);
    });

    it('a link that could not be e-mailed and is handed over instead is valid for a day', async () => {
      const { email } = await member();
      const id = (await kontor.ask(api.members)).find((one) => one.email === email)?.id ?? '';
      const nobody = { host: '127.0.0.1', port: await freePort(), security: 'starttls' as const, user: 'post' };
      const rest = { sender: 'kontor@beispiel.de', recipients: ['chefin@beispiel.de'], digestHour: 7, choices: {} };
      await kontor.ask(api.saveMailSettings, { body: { active: true, ...nobody, ...rest, password: 'geheim' } });
      try {
        const { sent, link } = await kontor.ask(api.memberPasswordLink, { params: { id } });
        expect(sent).toBe(false);
        clock.time += 23 * 60 * minute;
        const body = { token: secretIn(link ?? ''), password: 'regen-kiste-fenster' };
        expect(await new Visitor(kontor).outcome(api.resetPassword, { body })).toEqual([200, 'ok']);
      } finally {
        await mails.setUp(kontor);
      }
    });

    it('T15 a changed password invalidates the reset link and pending sign-ins with the old password', async () => {
      const person = await member();
      const visitor = new Visitor(kontor);
      await visitor.signIn(person);
      const { secret } = await visitor.ask(api.startApp);
      const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.time });
      await visitor.ask(api.confirmApp, { body: { code: code() } });
      clock.time += minute;
      const token = await resetLinkOf(person.email);
      const thief = new Visitor(kontor);
      const answer = await thief.ask(api.signIn, { body: person });
      const ticket = 'ticket' in answer ? answer.ticket : '';
      const change = { current: person.password, password: 'regen-kiste-fenster' };
      await visitor.ask(api.changePassword, { body: change });
      expect(await thief.outcome(api.signInFactor, { body: { ticket, code: code() } })).toEqual([401, 'ticket_over']);
      const reset = { token, password: 'wolke-anker-birne' };
      expect(await thief.outcome(api.resetPassword, { body: reset })).toEqual([422, 'link_over']);
      expect(await visitor.outcome(api.session)).toEqual([200, 'ok']);
    });

    it("T16 a reset lifts the block after strangers' wrong passwords; at most three e-mails go out per hour", async () => {
      const person = await member();
      const stranger = new Visitor(kontor);
      for (let n = 0; n < 5; n++) await stranger.signIn({ ...person, password: 'falsch' });
      const token = await resetLinkOf(person.email);
      const visitor = new Visitor(kontor);
      await visitor.ask(api.resetPassword, { body: { token, password: 'regen-kiste-fenster' } });
      for (let n = 0; n < 6; n++) await stranger.signIn({ ...person, password: 'falsch' });
      expect((await visitor.signIn({ ...person, password: 'regen-kiste-fenster' })).status).toBe(200);
      await resetLinkOf(person.email);
      await resetLinkOf(person.email);
      const sent = mails.countTo(person.email);
      await visitor.ask(api.forgotPassword, { body: { email: person.email } });
      await resetLinkOf((await member()).email);
      expect(mails.countTo(person.email)).toBe(sent);
    });
  });

  describe('invitations', () => {
    it('are e-mailed as a link; accepting it sets name and password and signs the person in', async () => {
      const email = 'neu@beispiel.de';
      expect(await kontor.ask(api.invite, { body: { email, role: 'editor' } })).toEqual({
        sent: true,
        link: null,
        problem: '',
      });
      const [invitation] = await kontor.ask(api.invitations);
      expect(invitation).toMatchObject({ email, role: 'editor' });
      const token = secretIn(await mails.newestTo(email));
      const visitor = new Visitor(kontor);
      expect(await visitor.ask(api.readInvitation, { body: { token } })).toEqual({
        companyName: 'Meine Firma',
        email,
        role: 'editor',
      });
      const accept = (password: string) =>
        visitor.outcome(api.acceptInvitation, { body: { token, name: 'Nele Neu', password } });
      expect(await accept('MeineFirma123')).toEqual([422, 'weak_password']);
      expect(await accept('lampe-wolke-trecker')).toEqual([200, 'ok']);
      expect(await visitor.ask(api.session)).toMatchObject({ user: { name: 'Nele Neu', email }, role: 'editor' });
      expect(await kontor.ask(api.invitations)).toEqual([]);
      expect(await accept('lampe-wolke-trecker')).toEqual([422, 'link_over']);
    });

    it('a domain with an umlaut is one address in both of its spellings, and shown with the umlaut', async () => {
      const [typed, sent] = ['jo@müller.example', 'jo@xn--mller-kva.example'];
      await kontor.ask(api.invite, { body: { email: typed, role: 'editor' } });
      expect((await kontor.ask(api.invitations)).map(({ email }) => email)).toEqual([typed]);
      // The test's mail server shows recipients with their umlauts; the message has them as they were sent.
      const mail = await mails.newestTo(typed);
      expect(mail).toContain(`To: ${sent}`);
      const token = secretIn(mail);
      const password = 'lampe-wolke-trecker';
      await new Visitor(kontor).ask(api.acceptInvitation, { body: { token, name: 'Jo Müller', password } });
      expect((await kontor.ask(api.members)).map(({ email }) => email)).toContain(typed);
      const visitor = new Visitor(kontor);
      for (const email of [typed, sent]) expect((await visitor.signIn({ email, password })).status).toBe(200);
      expect(await visitor.ask(api.session)).toMatchObject({ user: { email: typed } });
      const { events } = await kontor.ask(api.securityLog, { query: { limit: 50 } });
      expect(events.some(({ actor }) => actor.includes(typed))).toBe(true);
      expect(JSON.stringify(events)).not.toContain(sent);
    });

    it('a link is invalid once it is resent, withdrawn or a week old', async () => {
      const email = 'spaet@beispiel.de';
      const read = async (token: string) =>
        (await new Visitor(kontor).outcome(api.readInvitation, { body: { token } }))[1];
      await kontor.ask(api.invite, { body: { email, role: 'viewer' } });
      const first = secretIn(await mails.newestTo(email));
      const [invitation] = await kontor.ask(api.invitations);
      const params = { id: invitation?.id ?? '' };
      await kontor.ask(api.resendInvitation, { params });
      const second = secretIn(await mails.newestTo(email, 2));
      expect([await read(first), await read(second)]).toEqual(['link_over', 'ok']);
      clock.time += 7 * day + 1;
      expect(await read(second)).toBe('link_over');
      await kontor.ask(api.resendInvitation, { params });
      const third = secretIn(await mails.newestTo(email, 3));
      expect(await read(third)).toBe('ok');
      await kontor.ask(api.withdrawInvitation, { params });
      expect(await read(third)).toBe('link_over');
    });

    it('an invitation withdrawn while its mail is on the way to the server sends no dead link', async () => {
      const email = 'zurueck@beispiel.de';
      await kontor.ask(api.invite, { body: { email, role: 'viewer' } });
      await mails.newestTo(email);
      const [invitation] = await kontor.ask(api.invitations);
      const params = { id: invitation?.id ?? '' };
      whileConnecting(() => kontor.ask(api.withdrawInvitation, { params }));
      const session = new Visitor(kontor);
      await session.signIn(admin);
      expect(await session.outcome(api.resendInvitation, { params })).toEqual([409, 'invitation_changed']);
      expect(mails.countTo(email)).toBe(1);
    });

    it('only an owner invites owners, and an existing member cannot be invited', async () => {
      const boss = { name: 'Admin', email: `admin${++made}@beispiel.de`, password: 'lampe-wolke-trecker' };
      await addMember(kontor, { ...boss, role: 'admin' });
      const visitor = new Visitor(kontor);
      await visitor.signIn(boss);
      const invite = (email: string, role: 'owner' | 'viewer') =>
        visitor.outcome(api.invite, { body: { email, role } });
      expect(await invite('chef@beispiel.de', 'owner')).toEqual([403, 'not_allowed']);
      expect(await invite(admin.email, 'viewer')).toEqual([422, 'email_taken']);
    });

    it('T16 the answer hides whether the address belongs to a user of another company; only the e-mail says so', async () => {
      const elsewhere = await createCompany(kontor.database, randomIds, clock, 'Geheime Firma');
      const person = { name: 'Mia Behn', email: 'mia@anderswo.de', password: 'regen-kiste-fenster' };
      await createUser(kontor.database, randomIds, clock, { ...person, company: elsewhere, role: 'owner' });
      const [taken, free] = [person.email, 'frei@anderswo.de'];
      const answers = [taken, free].map((email) => kontor.ask(api.invite, { body: { email, role: 'viewer' } }));
      const sent = { sent: true, link: null, problem: '' };
      expect(await Promise.all(answers)).toEqual([sent, sent]);
      const [vain, link] = [await mails.newestTo(taken), await mails.newestTo(free)];
      expect([vain.includes('/einladung#'), link.includes('/einladung#')]).toEqual([false, true]);
      expect(vain).not.toContain('Geheime Firma');
      const listed = (await kontor.ask(api.invitations)).filter(({ email }) => email.endsWith('@anderswo.de'));
      expect(listed.map(({ email }) => email).toSorted()).toEqual([free, taken]);
      for (const { id, email } of listed) {
        expect(await kontor.ask(api.resendInvitation, { params: { id } })).toEqual(sent);
        await mails.newestTo(email, 2);
        await kontor.ask(api.withdrawInvitation, { params: { id } });
      }
    });
  });
});
