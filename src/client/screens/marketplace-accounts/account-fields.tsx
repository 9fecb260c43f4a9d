import { NativeSelect, PasswordInput, Switch, TextInput } from '@mantine/core';
import {
  marketplaceIds,
  marketplaces,
  type MarketplaceAccount,
  type MarketplaceAccountNew,
} from '#shared/marketplace-accounts/schema.ts';
import type { Catalogue } from './account-dialog.tsx';
import classes from './marketplace-accounts.module.css';

type AccountFieldsProps = {
  account: MarketplaceAccount | null;
  masters: readonly Catalogue[];
  form: MarketplaceAccountNew;
  onChange: (changed: Partial<MarketplaceAccountNew>) => void;
  errorOf: (field: string) => string | undefined;
};

type TextField =
  | 'name'
  | 'sellerId'
  | 'clientId'
  | 'clientSecret'
  | 'refreshToken'
  | 'apiUrl'
  | 'tokenUrl'
  | 'queueUrl'
  | 'queueKeyId'
  | 'queueSecret';

const inputWrapperOrder: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];
const keptText = (set: boolean) =>
  set ? 'Gesetzt. Leer lassen, um es zu behalten.' : 'Wird verschlüsselt gespeichert.';

/** Who sells where (fixed once made), how the program proves it, and other addresses for those who know why. */
export function AccountFields({ account, masters, form, onChange, errorOf }: AccountFieldsProps) {
  const text = (field: TextField) => ({
    value: form[field],
    error: errorOf(field),
    spellCheck: false,
    autoComplete: 'off',
    inputWrapperOrder,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange({ [field]: currentTarget.value }),
  });
  const sandbox = account?.connector === 'sandbox';
  return (
    <>
      <div className={classes.grid}>
        <TextInput label="Name" required maxLength={100} data-autofocus {...text('name')} />
        {account === null && <Place masters={masters} form={form} onChange={onChange} />}
        <TextInput
          label="Verkäufer-ID"
          description="Bei Amazon „Händlertoken“, beginnt mit A."
          required
          maxLength={40}
          {...text('sellerId')}
        />
        {!sandbox && <TextInput label="Client-ID" description="LWA-Client der Anwendung" {...text('clientId')} />}
        {!sandbox && (
          <PasswordInput
            label="Client-Geheimnis"
            description={keptText(account?.clientSecretSet === true)}
            {...text('clientSecret')}
            autoComplete="new-password"
          />
        )}
        {!sandbox && (
          <PasswordInput
            label="Refresh-Token"
            description={keptText(account?.refreshTokenSet === true)}
            {...text('refreshToken')}
            autoComplete="new-password"
          />
        )}
      </div>
      {!sandbox && (
        <details open={form.queueUrl !== ''}>
          <summary>Mitteilungen (Amazon SQS): Preise folgen in Sekunden statt nach einer halben Stunde</summary>
          <p className="k-muted k-small">
            Amazon schreibt Änderungen von Angeboten und Bestellungen in eine Warteschlange Ihres AWS-Kontos, Kontor
            liest sie dort. Erlauben Sie Amazons Konto 437568002678 dort „SendMessage“ und „GetQueueAttributes“, dem
            Schlüssel hier „ReceiveMessage“ und „DeleteMessage“.
          </p>
          <div className={classes.grid}>
            <TextInput
              label="Adresse der Warteschlange"
              description="https://sqs.eu-central-1.amazonaws.com/…/…"
              {...text('queueUrl')}
            />
            <TextInput label="Zugriffsschlüssel-ID" description="AWS, beginnt mit AKIA" {...text('queueKeyId')} />
            <PasswordInput
              label="Geheimer Zugriffsschlüssel"
              description={keptText(account?.queueSecretSet === true)}
              {...text('queueSecret')}
              autoComplete="new-password"
            />
          </div>
        </details>
      )}
      {sandbox ? (
        <p className="k-muted">Dieses Konto gehört zur Sandbox der Demo. Es braucht keine Zugangsdaten.</p>
      ) : (
        <details open={form.apiUrl !== '' || form.tokenUrl !== ''}>
          <summary>Andere Adressen (Sandbox, für Fachleute)</summary>
          <div className={classes.grid}>
            <TextInput label="Adresse der Schnittstelle" description="Leer: Amazon Europa" {...text('apiUrl')} />
            <TextInput label="Adresse der Anmeldung" description="Leer: Login with Amazon" {...text('tokenUrl')} />
          </div>
        </details>
      )}
      <Switch
        label="Aktiv"
        description="Pausiert liest und sendet Kontor hier nichts; wartende Preise bleiben liegen."
        checked={form.active}
        onChange={({ currentTarget }) => onChange({ active: currentTarget.checked })}
      />
    </>
  );
}

function Place({ masters, form, onChange }: Pick<AccountFieldsProps, 'masters' | 'form' | 'onChange'>) {
  return (
    <>
      <NativeSelect
        label="Marktplatz"
        description="Steht nach dem Anlegen fest."
        inputWrapperOrder={inputWrapperOrder}
        value={form.marketplace}
        data={marketplaceIds.map((value) => ({ value, label: marketplaces[value].name }))}
        onChange={({ currentTarget }) => {
          const chosen = marketplaceIds.find((id) => id === currentTarget.value);
          if (chosen !== undefined) onChange({ marketplace: chosen });
        }}
      />
      <NativeSelect
        label="Katalog"
        description="Dessen Artikel hier verkauft werden."
        inputWrapperOrder={inputWrapperOrder}
        value={form.masterid}
        data={masters.map(({ masterid, name }) => ({ value: masterid, label: name }))}
        onChange={({ currentTarget }) => onChange({ masterid: currentTarget.value })}
      />
    </>
  );
}
