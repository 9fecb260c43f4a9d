import { NativeSelect } from '@mantine/core';
import { mailChoiceNames, mailChoices } from '#shared/notifications/schema.ts';
import { notificationEventNames, notificationEvents } from '#shared/live/schema.ts';
import type { MailForm } from './mail-form.ts';
import classes from './notification-settings.module.css';

type EventChoicesProps = { form: MailForm; onChange: (changed: Partial<MailForm>) => void };

/** Kinds of events that may be sent outside: failed deliveries are reported only inside Kontor. */
export const outsideEvents = notificationEventNames.filter((name) => name !== 'undelivered');

/** Which kinds of events send an e-mail; in Kontor all are listed anyway. */
export function EventChoices({ form, onChange }: EventChoicesProps) {
  return (
    <fieldset className={classes.choices}>
      <legend className="k-strong">Wovon eine E-Mail kommt</legend>
      <p className="k-muted k-small">In Kontor selbst steht immer alles unter „Benachrichtigungen“.</p>
      <div className={classes.grid}>
        {outsideEvents.map((event) => (
          <NativeSelect
            key={event}
            label={notificationEvents[event].title}
            value={form.choices[event] ?? notificationEvents[event].mail}
            onChange={({ currentTarget }) => {
              const choice = mailChoiceNames.find((name) => name === currentTarget.value) ?? 'none';
              onChange({ choices: { ...form.choices, [event]: choice } });
            }}
            data={mailChoiceNames.map((value) => ({ value, label: mailChoices[value].label }))}
          />
        ))}
      </div>
    </fieldset>
  );
}
