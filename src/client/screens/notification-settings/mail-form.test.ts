import { expect, it } from 'vitest';
import { MailSettings } from '#shared/notifications/schema.ts';
import { mailShape, toForm, toSave } from './mail-form.ts';

it('recipients may be pasted with any separator, and are shown one per line', () => {
  const form = toForm(MailSettings.parse({ recipients: ['a@b.de', 'c@d.de'] }));
  expect(form.recipients).toBe('a@b.de\nc@d.de');
  expect(toSave({ ...form, recipients: ' a@b.de; c@d.de,\n\te@f.de ' }).recipients).toEqual([
    'a@b.de',
    'c@d.de',
    'e@f.de',
  ]);
  expect(toSave({ ...form, recipients: '' }).recipients).toEqual([]);
});

it('GEN-01 changed settings are described by the words of the form', () => {
  const before = toForm(MailSettings.parse({}));
  const after = { ...before, security: 'implicit' as const, digestHour: 8, choices: { order: 'digest' as const } };
  expect(mailShape.sentences(before, after)).toEqual([
    'Verschlüsselung: vorher „STARTTLS (meist Port 587)“, jetzt „TLS von Anfang an (meist Port 465)“.',
    'Tageszusammenfassung um: vorher „7 Uhr“, jetzt „8 Uhr“.',
    'Eine Bestellung wartet auf Sie: vorher „sofort“, jetzt „Tageszusammenfassung“.',
  ]);
});
