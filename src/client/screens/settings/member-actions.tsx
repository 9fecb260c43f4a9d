import { Button } from '@mantine/core';
import IconLogout from 'virtual:icons/logout';
import IconTrash from 'virtual:icons/trash';
import { useOnce } from '#client/ui/use-once.ts';
import classes from './members.module.css';

type MemberActionsProps = {
  name: string;
  /** True for the user's own entry, where only the role can be changed. */
  own: boolean;
  onRole: () => void;
  onPassword: () => Promise<void>;
  onSignOut: () => void;
  onRemove: () => void;
};

/** Actions on a member of the company. */
export function MemberActions({ name, own, onRole, onPassword, onSignOut, onRemove }: MemberActionsProps) {
  // A second press would make another link, and the one shown could be the invalid one.
  const password = useOnce(onPassword);
  return (
    <div className={`k-row ${classes.actions}`}>
      <Button size="xs" variant="default" onClick={onRole}>
        Rolle ändern
        <span className="k-hidden"> von {name}</span>
      </Button>
      {!own && (
        <>
          <Button size="xs" variant="default" loading={password.busy} onClick={password.start}>
            Passwort-Link
            <span className="k-hidden"> für {name}</span>
          </Button>
          <Button size="xs" variant="default" leftSection={<IconLogout size={14} aria-hidden />} onClick={onSignOut}>
            Überall abmelden
            <span className="k-hidden"> {name}</span>
          </Button>
          <Button size="xs" variant="default" leftSection={<IconTrash size={14} aria-hidden />} onClick={onRemove}>
            Entfernen
            <span className="k-hidden"> {name}</span>
          </Button>
        </>
      )}
    </div>
  );
}
