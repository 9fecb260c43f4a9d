import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** A password field whose reveal button can also be reached by keyboard. */
export function PasswordField(props: PasswordInputProps) {
  return (
    <PasswordInput
      maxLength={128}
      {...props}
      visibilityToggleButtonProps={{
        'aria-label': 'Passwort anzeigen oder verbergen',
        tabIndex: 0,
        'aria-hidden': false,
      }}
    />
  );
}
