import { NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { mailSecurities } from '#shared/notifications/schema.ts';
import { BoundedNumberInput } from '#client/ui/form/bounded-number-input.tsx';
import type { MailForm } from './mail-form.ts';
import classes from './notification-settings.module.css';

type MailFieldsProps = {
  form: MailForm;
  passwordSet: boolean;
  onChange: (changed: Partial<MailForm>) => void;
  errorOf: (field: string) => string | undefined;
};

/** Descriptions below the inputs, so that fields side by side are aligned. */
const inputWrapperOrder: InputWrapperOrder = ['label', 'input', 'description', 'error'];
type InputWrapperOrder = ('label' | 'input' | 'description' | 'error')[];

/** The mail server and the recipients. */
export function MailFields({ form, passwordSet, onChange, errorOf }: MailFieldsProps) {
  const text = (field: 'host' | 'user' | 'sender') => ({
    value: form[field],
    error: errorOf(field),
    spellCheck: false,
    autoComplete: 'off',
    inputWrapperOrder,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange({ [field]: currentTarget.value }),
  });
  const secure = (value: string) => {
    const security = value === 'implicit' ? 'implicit' : 'starttls';
    // A default port follows the choice, a custom port stays.
    const usual = Object.values(mailSecurities).some(({ port }) => port === form.port);
    onChange({ security, ...(usual ? { port: mailSecurities[security].port } : {}) });
  };
  return (
    <div className={classes.grid}>
      <TextInput label="Mailserver" required placeholder="smtp.beispiel.de" maxLength={253} {...text('host')} />
      <BoundedNumberInput
        label="Port"
        required
        hideControls
        min={1}
        max={65_535}
        value={form.port}
        error={errorOf('port')}
        onChange={(port) => onChange({ port })}
      />
      <NativeSelect
        label="Verschlüsselung"
        inputWrapperOrder={inputWrapperOrder}
        description="Unverschlüsselt sendet Kontor nichts."
        value={form.security}
        onChange={({ currentTarget }) => secure(currentTarget.value)}
        data={Object.entries(mailSecurities).map(([value, { label }]) => ({ value, label }))}
      />
      <TextInput label="Absender" required type="email" placeholder="kontor@beispiel.de" {...text('sender')} />
      <TextInput label="Benutzer" description="Leer, wenn der Server keine Anmeldung verlangt." {...text('user')} />
      <PasswordInput
        label="Passwort"
        inputWrapperOrder={inputWrapperOrder}
        description={passwordSet ? 'Gespeichert. Leer lassen, um es zu behalten.' : 'Wird verschlüsselt gespeichert.'}
        autoComplete="new-password"
        maxLength={500}
        value={form.password}
        error={errorOf('password')}
        onChange={({ currentTarget }) => onChange({ password: currentTarget.value })}
        visibilityToggleButtonProps={{ 'aria-label': 'Passwort anzeigen oder verbergen' }}
      />
      <Textarea
        label="Empfänger"
        inputWrapperOrder={inputWrapperOrder}
        description="Eine Adresse je Zeile, höchstens 20."
        required
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        value={form.recipients}
        error={errorOf('recipients')}
        onChange={({ currentTarget }) => onChange({ recipients: currentTarget.value })}
      />
      <NativeSelect
        label="Tageszusammenfassung um"
        inputWrapperOrder={inputWrapperOrder}
        description="Nach deutscher Zeit."
        value={String(form.digestHour)}
        onChange={({ currentTarget }) => onChange({ digestHour: Number(currentTarget.value) })}
        data={Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${hour} Uhr` }))}
      />
    </div>
  );
}
