import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** A field for a password whose button to look at it is reached by keyboard, too. */
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
