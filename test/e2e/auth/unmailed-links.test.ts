import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCompany, createUser } from '#auth/auth.ts';
import { hashPassword } from '#auth/passwords/passwords.ts';
import { systemClock } from '#platform/clock.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { addMember } from '../../stages/add-member.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { secretIn } from '../../stages/mail-stage.ts';
import { Visitor } from '../../stages/http/visitor.ts';

describe('without a mail server', () => {
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor();
  });
  afterAll(() => kontor.close());

  it('an invitation link is shown once, to be handed over by hand', async () => {
    const { sent, link, problem } = await kontor.ask(api.invite, { body: { email: 'a@beispiel.de', role: 'viewer' } });
    expect([sent, problem]).toEqual([false, 'Es ist kein Mailserver eingerichtet.']);
    const token = secretIn(link ?? '');
    expect(JSON.stringify(await kontor.ask(api.invitations))).not.toContain(token);
    const body = { token, name: 'Anna', password: 'lampe-wolke-trecker' };
    expect(await new Visitor(kontor).outcome(api.acceptInvitation, { body })).toEqual([200, 'ok']);
  });

  it('an invitation withdrawn while it is being accepted creates no member', async () => {
    const email = 'zurueck@beispiel.de';
    const { link } = await kontor.ask(api.invite, { body: { email, role: 'admin' } });
    const [invitation] = (await kontor.ask(api.invitations)).filter((one) => one.email === email);
    // The user's password has to wait for its turn.
    const before = Array.from({ length: 12 }, () => hashPassword('lampe-wolke-trecker', 'argon2id'));
    const body = { token: secretIn(link ?? ''), name: 'Zoe', password: 'regen-kiste-fenster' };
    const visitor = new Visitor(kontor);
    const accepted = visitor.outcome(api.acceptInvitation, { body });
    await Promise.all([wait(50), new Visitor(kontor).ask(api.readInvitation, { body: { token: body.token } })]);
    await kontor.ask(api.withdrawInvitation, { params: { id: invitation?.id ?? '' } });
    expect(await accepted).toEqual([422, 'link_over']);
    expect((await kontor.ask(api.members)).map((one) => one.email)).not.toContain(email);
    expect((await visitor.send(api.session)).status).toBe(401);
    await Promise.all(before);
  });

  it('T16 the link looks the same for a user of another company, whose account stays unchanged', async () => {
    const elsewhere = await createCompany(kontor.database, randomIds, systemClock, 'Geheime Firma');
    const person = { name: 'Mia Behn', email: 'mia@anderswo.de', password: 'regen-kiste-fenster' };
    await createUser(kontor.database, randomIds, systemClock, { ...person, company: elsewhere, role: 'owner' });
    const { sent, link, problem } = await kontor.ask(api.invite, { body: { email: person.email, role: 'viewer' } });
    expect([sent, problem]).toEqual([false, 'Es ist kein Mailserver eingerichtet.']);
    const token = secretIn(link ?? '');
    const visitor = new Visitor(kontor);
    expect(await visitor.ask(api.readInvitation, { body: { token } })).toMatchObject({ email: person.email });
    const body = { token, name: 'Fremd', password: 'lampe-wolke-trecker' };
    expect(await visitor.outcome(api.acceptInvitation, { body })).toEqual([422, 'email_taken']);
    expect((await new Visitor(kontor).signIn(person)).status).toBe(200);
  });

  it('a forgotten password notifies the administrators, who can hand over a link', async () => {
    const person = { name: 'Jo', email: 'jo@beispiel.de', password: 'lampe-wolke-trecker' };
    const { id } = await addMember(kontor, { ...person, role: 'editor' });
    await new Visitor(kontor).ask(api.forgotPassword, { body: { email: person.email } });
    await expect
      .poll(async () => (await kontor.ask(api.notifications, { query: {} })).notifications.map(({ title }) => title))
      .toContain('E-Mail nicht gesendet: Passwort zurücksetzen');
    const { link } = await kontor.ask(api.memberPasswordLink, { params: { id } });
    const body = { token: secretIn(link ?? ''), password: 'regen-kiste-fenster' };
    expect(await new Visitor(kontor).outcome(api.resetPassword, { body })).toEqual([200, 'ok']);
  });

  it('a handed-over link stays valid when another reset is requested that cannot be e-mailed', async () => {
    const person = { name: 'Ole', email: 'ole@beispiel.de', password: 'lampe-wolke-trecker' };
    const { id } = await addMember(kontor, { ...person, role: 'editor' });
    const { link } = await kontor.ask(api.memberPasswordLink, { params: { id } });
    await new Visitor(kontor).ask(api.forgotPassword, { body: { email: person.email } });
    const told = async () => (await kontor.ask(api.notifications, { query: {} })).notifications.map(({ text }) => text);
    await expect.poll(told).toContainEqual(expect.stringContaining(`An ${person.email}. Es ist kein Mailserver`));
    const unread = (await kontor.ask(api.header)).messages.count;
    const viewer = { name: 'Ida', email: 'ida@beispiel.de', password: 'regen-kiste-fenster' };
    await addMember(kontor, { ...viewer, role: 'viewer' });
    const visitor = new Visitor(kontor);
    await visitor.signIn(viewer);
    // The address of a member is for those who may see the members.
    expect(await visitor.ask(api.notifications)).toEqual({ notifications: [], total: 0 });
    expect((await visitor.ask(api.header)).messages.count).toBe(0);
    await visitor.ask(api.readNotifications, { body: {} });
    expect((await kontor.ask(api.header)).messages.count).toBe(unread);
    const body = { token: secretIn(link ?? ''), password: 'regen-kiste-fenster' };
    expect(await new Visitor(kontor).outcome(api.resetPassword, { body })).toEqual([200, 'ok']);
  });
});
