import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useRevalidator } from 'react-router';
import { type ChosenPermission, choicesOf, permissionLabels } from '#shared/account/roles.ts';
import { MOST_TOKEN_DAYS } from '#shared/account/schema.ts';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { failureOf, fieldError } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { DayField } from '#client/ui/form/range-picker.tsx';
import { FormDialog } from '#client/ui/form-dialog.tsx';
import { showFailure } from '#client/ui/notices.tsx';
import { SecretDialog } from '#client/ui/secret-dialog.tsx';
import { readDay } from '#client/ui/text/days.ts';
import { useGone } from '#client/ui/use-gone.ts';
import { useFormFailure } from '#client/use-failure.ts';
import { roleOf, roleOptions } from './role-options.ts';

const OWN_DAY = 'day';
const spans = [
  { value: '30', label: '30 Tage' },
  { value: '90', label: '90 Tage' },
  { value: '365', label: '1 Jahr' },
  { value: OWN_DAY, label: 'Bis zu einem Tag' },
];
const dayIn = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

const unseen = (name: string) => ({
  title: 'Das Geheimnis wurde nicht gezeigt',
  message: `Der API-Zugang „${name}“ wurde angelegt, als sein Formular schon geschlossen war. Löschen Sie ihn, und legen Sie einen neuen an.`,
});

/** Makes an API token and shows its secret once. */
export function NewToken({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState(roleOf('editor'));
  const [without, setWithout] = useState<readonly ChosenPermission[]>([]);
  const [span, setSpan] = useState('365');
  const [day, setDay] = useState('');
  const [isNoDay, setIsNoDay] = useState(false);
  const [busy, setBusy] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [failed, setFailed] = useFormFailure();
  const { revalidate } = useRevalidator();
  const isGone = useGone();
  const dayError =
    isNoDay && readDay(day) === undefined
      ? 'Bitte den Tag als TT.MM.JJJJ angeben.'
      : fieldError(failed?.error, 'lastDay');
  const permissions = choicesOf(role).filter((one) => !without.includes(one));
  const create = async (event: SyntheticEvent) => {
    event.preventDefault();
    const lastDay = span === OWN_DAY ? readDay(day) : dayIn(Number(span));
    setIsNoDay(lastDay === undefined);
    if (lastDay === undefined) return;
    setBusy(true);
    setFailed(null);
    try {
      const { token } = await call(api.createToken, { body: { name, role, permissions, lastDay } });
      if (isGone()) showFailure(unseen(name));
      else setSecret(token);
      await revalidate();
    } catch (error) {
      setFailed({ failure: failureOf('Fehler beim Anlegen', error), error });
    } finally {
      setBusy(false);
    }
  };
  if (secret !== null)
    return (
      <SecretDialog title="Ihr neuer API-Zugang" secret={secret} onClose={onClose}>
        Ihr Programm sendet es als <code>Authorization: Bearer …</code>
      </SecretDialog>
    );
  return (
    <FormDialog opened dirty={name !== '' || without.length > 0} onClose={onClose} title="API-Zugang anlegen">
      <form className="k-stack" onSubmit={(event) => void create(event)}>
        <ErrorNotice failure={failed?.failure ?? null} />
        <TextInput
          label="Name"
          description="Wofür der Zugang ist, zum Beispiel Warenwirtschaft."
          required
          maxLength={100}
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <NativeSelect
          label="Rolle"
          value={role}
          onChange={({ currentTarget }) => setRole(roleOf(currentTarget.value))}
          data={roleOptions}
        />
        <Checkbox.Group
          label="Rechte"
          value={permissions}
          onChange={(chosen) => setWithout(choicesOf(role).filter((one) => !chosen.includes(one)))}
          description="Weniger ist sicherer. Mehr als Sie selbst darf ein Zugang nie."
          error={fieldError(failed?.error, 'permissions')}
        >
          <div className="k-row" style={{ flexWrap: 'wrap', marginTop: 6 }}>
            {choicesOf(role).map((permission) => (
              <Checkbox key={permission} value={permission} label={permissionLabels[permission]} />
            ))}
          </div>
        </Checkbox.Group>
        <NativeSelect
          label="Gültigkeit"
          description={`Höchstens ${MOST_TOKEN_DAYS} Tage. Danach legen Sie einen neuen Zugang an.`}
          value={span}
          onChange={({ currentTarget }) => setSpan(currentTarget.value)}
          data={spans}
        />
        {span === OWN_DAY && (
          <DayField
            label="Letzter Tag"
            text={day}
            onText={setDay}
            {...(dayError === undefined ? {} : { error: dayError })}
          />
        )}
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={onClose}>
            Abbrechen
          </Button>
          <Button type="submit" loading={busy} disabled={name.trim() === ''}>
            Anlegen
          </Button>
        </div>
      </form>
    </FormDialog>
  );
}
