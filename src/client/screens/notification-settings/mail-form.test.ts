import { expect, it } from 'vitest';
import { MailSettings } from '#shared/notifications/schema.ts';
import { toForm, toSave } from './mail-form.ts';

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
