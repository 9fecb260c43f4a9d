import { PasswordField } from './password-field.tsx';

type NewPasswordFieldProps = {
  label?: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
};

/** Field for choosing a password. Only its length counts; no kind of character is required. */
export function NewPasswordField({ label = 'Neues Passwort', value, onChange, error }: NewPasswordFieldProps) {
  return (
    <PasswordField
      label={label}
      description="Mindestens 12 Zeichen, zum Beispiel drei Wörter, die nichts miteinander zu tun haben."
      name="new-password"
      autoComplete="new-password"
      required
      withAsterisk={false}
      minLength={12}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
