import { NativeSelect, PasswordInput, Switch, TextInput } from '@mantine/core';
import type {
  AccountField,
  MarketplaceAccount,
  MarketplaceAccountNew,
  MarketplaceConnector,
} from '#shared/marketplace-accounts/schema.ts';
import { useConnectors } from '#client/marketplaces.ts';
import type { Catalogue } from './account-dialog.tsx';
import classes from './marketplace-accounts.module.css';

type AccountFieldsProps = {
  account: MarketplaceAccount | null;
  masters: readonly Catalogue[];
  form: MarketplaceAccountNew;
  onChange: (changed: Partial<MarketplaceAccountNew>) => void;
  errorOf: (field: string) => string | undefined;
};

const inputWrapperOrder: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];
const keptText = (set: boolean) =>
  set ? 'Gesetzt. Leer lassen, um es zu behalten.' : 'Wird verschlüsselt gespeichert.';

/** Returns the connector of an account; for a new one, that of the chosen marketplace. */
function connectorOf(
  connectors: readonly MarketplaceConnector[],
  { account, form }: Pick<AccountFieldsProps, 'account' | 'form'>,
): MarketplaceConnector | undefined {
  if (account !== null) return connectors.find(({ id }) => id === account.connector);
  return connectors.find(
    ({ demo, marketplaces }) => demo === '' && marketplaces.some(({ id }) => id === form.marketplace),
  );
}

/** Catalogue and marketplace (fixed after creation), and the fields that the marketplace's connector needs. */
export function AccountFields({ account, masters, form, onChange, errorOf }: AccountFieldsProps) {
  const connector = connectorOf(useConnectors(), { account, form });
  const text = (field: 'name' | 'sellerId') => ({
    value: form[field],
    error: errorOf(field),
    spellCheck: false,
    autoComplete: 'off',
    inputWrapperOrder,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange({ [field]: currentTarget.value }),
  });
  const settings = { account, form, onChange, errorOf };
  const fields = connector?.fields ?? [];
  return (
    <>
      <div className={classes.grid}>
        <TextInput label="Name" required maxLength={100} data-autofocus {...text('name')} />
        {account === null && <Place masters={masters} form={form} onChange={onChange} />}
        <TextInput
          label="Verkäufer-ID"
          description={connector?.sellerHelp}
          required
          maxLength={40}
          {...text('sellerId')}
        />
        <SettingFields fields={fields.filter(({ group }) => group === null)} {...settings} />
      </div>
      {connector?.groups.map(({ id, title, help }) => {
        const inside = fields.filter(({ group }) => group === id);
        return (
          <details key={id} open={inside.some((field) => (form.settings[field.id] ?? '') !== '')}>
            <summary>{title}</summary>
            {help !== '' && <p className="k-muted k-small">{help}</p>}
            <div className={classes.grid}>
              <SettingFields fields={inside} {...settings} />
            </div>
          </details>
        );
      })}
      {connector !== undefined && connector.demo !== '' && <p className="k-muted">{connector.demo}</p>}
      <Switch
        label="Aktiv"
        description={`Pausiert liest und sendet Kontor hier nichts; wartende Preise bleiben liegen.${connector?.demo === '' ? ' Aktiv bringt es Kundendaten: dafür muss Ihre Firma von allen einen zweiten Faktor verlangen (Einstellungen, Anmeldung).' : ''}`}
        error={errorOf('active')}
        checked={form.active}
        onChange={({ currentTarget }) => onChange({ active: currentTarget.checked })}
      />
    </>
  );
}

type SettingFieldsProps = Omit<AccountFieldsProps, 'masters'> & { fields: readonly AccountField[] };

/** Fields of the connector. Secrets are write-only: the form knows only whether they are set. */
function SettingFields({ fields, account, form, onChange, errorOf }: SettingFieldsProps) {
  return fields.map(({ id, label, help, kind, secret, choices }) => {
    const input = {
      label,
      description: help,
      value: form.settings[id] ?? '',
      error: errorOf(`settings.${id}`),
      inputWrapperOrder,
      onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
        onChange({ settings: { ...form.settings, [id]: currentTarget.value } }),
    };
    if (kind === 'choice') return <NativeSelect key={id} data={choices} {...input} />;
    if (!secret) return <TextInput key={id} spellCheck={false} autoComplete="off" {...input} />;
    const storedText = keptText(account?.secretsSet.includes(id) === true);
    const description = help === '' ? storedText : `${help} ${storedText}`;
    return <PasswordInput key={id} {...input} description={description} autoComplete="new-password" />;
  });
}

function Place({ masters, form, onChange }: Pick<AccountFieldsProps, 'masters' | 'form' | 'onChange'>) {
  const connectors = useConnectors();
  const marketplaces = connectors.flatMap((connector) => (connector.demo === '' ? connector.marketplaces : []));
  const move = (marketplace: string) => {
    const reset = { account: null, form: { ...form, marketplace } };
    const same = connectorOf(connectors, reset) === connectorOf(connectors, { account: null, form });
    // Another connector needs other settings.
    onChange({ marketplace, ...(same ? {} : { settings: {} }) });
  };
  return (
    <>
      <NativeSelect
        label="Marktplatz"
        description="Steht nach dem Anlegen fest."
        inputWrapperOrder={inputWrapperOrder}
        value={form.marketplace}
        data={marketplaces.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={({ currentTarget }) => move(currentTarget.value)}
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
