// Generated from migrations/ by 'npm run database-types': do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

type Timestamp = ColumnType<Date, Date | string>;
type GeneratedTimestamp = ColumnType<Date, Date | string | undefined, Date | string>;
/** Read as a value that nobody has checked yet, written as JSON text: of an array the server's driver would make one of PostgreSQL. */
type Json = ColumnType<unknown, string>;

/** Every table by its name. */
export type Tables = {
  api_tokens: {
    company: string;
    id: string;
    name: string;
    role: string;
    hash: string;
    created_at: GeneratedTimestamp;
    last_used_at: Timestamp | null;
    maker: string | null;
    maker_name: Generated<string>;
    expires_at: Timestamp | null;
    permissions: string | null;
  };
  article_offers: {
    company: string;
    master: string;
    marketplace: string;
    product_id: string;
    condition: string;
    event_at: Timestamp;
    received_at: Timestamp;
    message: string;
    offers: string;
  };
  cancellations: {
    company: string;
    id: string;
    channel: string;
    order_id: string;
    line_id: string;
    quantity: number;
    by_party: 'us' | 'buyer' | 'channel';
    reason: Generated<string>;
    at: Timestamp;
    action: string | null;
  };
  company_deletions: {
    company: string;
    id: string;
    name: string;
    asked_by: string;
    asked_at: Timestamp;
    due_at: Timestamp;
  };
  decision_anchors: {
    company: string;
    key: number;
    number: number;
    hash: string;
    pruned: Generated<number>;
    mark: string;
  };
  decision_archives: {
    company: string;
    from_seal: number;
    to_seal: number;
    from_id: number;
    to_id: number;
    from_time: Timestamp;
    to_time: Timestamp;
    decisions: number;
    bytes: number;
    key: string;
    sha256: string;
    archived_at: Timestamp;
    outcomes_at: Timestamp | null;
  };
  decision_audits: {
    company: string;
    verified_at: Timestamp;
    seals: number;
    broken: Generated<string>;
    looked_again: Generated<number>;
  };
  decision_samples: {
    company: string;
    slot: number;
    master: string;
    item: string;
    taken_at: Timestamp;
    program: string;
    rule_revision: number;
    basis: string;
    outcome: string;
  };
  decision_seals: {
    company: string;
    number: number;
    from_id: number;
    to_id: number;
    decisions: number;
    hash: string;
    sealed_at: Timestamp;
  };
  deletion_records: {
    company: string;
    id: string;
    kind: 'catalogue' | 'export' | 'company';
    subject: string;
    name: string;
    asked_by: string;
    asked_at: Timestamp;
    done_at: Timestamp;
    table_rows: string;
    row_count: number;
    file_count: number;
    bytes: number;
  };
  deliveries: {
    company: string;
    id: string;
    notification: string;
    channel: string;
    event: string;
    title: string;
    state: 'waiting' | 'sent' | 'failed' | 'dropped';
    tries: Generated<number>;
    message: Generated<string>;
    next_at: Timestamp | null;
    created_at: GeneratedTimestamp;
    ended_at: Timestamp | null;
  };
  documents: {
    company: string;
    subject: string;
    scope: string;
    revision: number;
    body: string;
    author: string;
    created_at: GeneratedTimestamp;
    note: string | null;
  };
  exchange_rates: {
    currency: string;
    day: string;
    micros: number;
  };
  export_files: {
    company: string;
    export: string;
    number: number;
    runid: string;
    name: string;
    bytes: number;
    items: number;
    etag: string;
    mime: string;
    companions: Generated<string>;
    created_at: GeneratedTimestamp;
    fetches: Generated<number>;
    last_fetched_at: Timestamp | null;
    gone_at: Timestamp | null;
    whole: Generated<boolean>;
    base: number | null;
  };
  exports: {
    company: string;
    id: string;
    master: string;
    feed_token: string;
    live_file: number | null;
    created_at: GeneratedTimestamp;
    delta_file: number | null;
    trashed_at: Timestamp | null;
    trashed_by: string | null;
    trashed_with_master: Generated<boolean>;
    purge_at: Timestamp | null;
    sent_file: number | null;
    sent_to: string | null;
  };
  image_checks: {
    company: string;
    hash: string;
    checked_at: Timestamp;
    next_at: Timestamp;
    failures: number;
    status: number;
    format: string | null;
    width: number | null;
    height: number | null;
    bytes: number | null;
  };
  import_pieces: {
    company: string;
    upload: string;
    start: number;
    bytes: number;
    sha256: string;
    file: string;
  };
  import_uploads: {
    company: string;
    id: string;
    master: string;
    name: string;
    content_type: string | null;
    size: number;
    modified: number | null;
    options: string;
    ask_review: boolean;
    sent_by: string;
    received: Generated<number>;
    runid: string | null;
    changed_at: Timestamp;
  };
  installation_facts: {
    name: 'outgoing_hold' | 'last_backup' | 'exchange_rates' | 'files_place' | 'jobs_paused';
    body: string;
    at: Timestamp;
  };
  installation_keys: {
    number: number;
    mark: string;
    state: 'next' | 'current' | 'former';
    sealed: Generated<string>;
    since: Timestamp;
  };
  invitations: {
    id: string;
    organization_id: string;
    email: string;
    role: string;
    hash: string;
    invited_by: string;
    created_at: Timestamp;
    expires_at: Timestamp;
    inviter: string | null;
  };
  item_alarms: {
    company: string;
    id: string;
    master: string;
    marketplace: string;
    item: string;
    price_cents: number;
    details: string;
    tripped_at: Timestamp;
    released_at: Timestamp | null;
    released_by: string | null;
    reason: string | null;
  };
  item_sales: {
    company: string;
    account: string;
    order_id: string;
    line_id: string;
    sku: string;
    quantity: number;
    purchased_at: Timestamp;
    changed_at: Timestamp;
  };
  jobs: {
    company: string;
    id: string;
    kind: string;
    subject: string;
    state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled' | 'blocked';
    payload: string;
    progress: Generated<string>;
    result: Generated<string>;
    message: string | null;
    fence: Generated<number>;
    attempts: Generated<number>;
    worker: string | null;
    lease_until: Timestamp | null;
    cancel: Generated<boolean>;
    created_at: GeneratedTimestamp;
    started_at: Timestamp | null;
    finished_at: Timestamp | null;
    not_before: Timestamp | null;
    taken_at: Timestamp | null;
    retried_at: Timestamp | null;
    retried_by: string | null;
    retried_as: string | null;
    trace: string | null;
    in_order: Generated<boolean>;
  };
  leases: {
    name: string;
    holder: string;
    until: Timestamp;
  };
  listings: {
    company: string;
    master: string;
    marketplace: string;
    item: string;
    account: string;
    sku: string;
    product_id: string;
    condition: Generated<string>;
    fulfilment: Generated<'marketplace' | 'merchant'>;
    currency: Generated<string>;
    shipping_cents: number | null;
    price_cents: number | null;
    price_at: Timestamp | null;
    live_cents: number | null;
    live_at: Timestamp | null;
    stock: number | null;
    offers_asked_at: Timestamp | null;
    own_rank: number | null;
    own_box: Generated<boolean>;
    shown_shipping_cents: number | null;
    rival: string | null;
    rival_cents: number | null;
    rival_shipping_cents: number | null;
    rival_box: Generated<boolean>;
    rival_rank: number | null;
    rivals: Generated<string>;
    messages: Generated<number>;
    offers_at: Timestamp | null;
  };
  mail_settings: {
    company: string;
    body: string;
    author: string;
    saved_at: GeneratedTimestamp;
    revision: Generated<number>;
  };
  marketplace_accounts: {
    company: string;
    id: string;
    master: string;
    connector: string;
    marketplace: string;
    seller_id: string;
    currency: Generated<string>;
    name: string;
    settings: Generated<string>;
    active: Generated<boolean>;
    created_at: GeneratedTimestamp;
  };
  masters: {
    company: string;
    id: string;
    name: string;
    key_field: string | null;
    live_snapshot: number | null;
    created_at: GeneratedTimestamp;
    trashed_at: Timestamp | null;
    trashed_by: string | null;
    purge_at: Timestamp | null;
  };
  member: {
    id: string;
    organizationId: string;
    userId: string;
    role: string;
    createdAt: Timestamp;
  };
  migrations: {
    number: number;
    name: string;
    checksum: string;
    applied_at: GeneratedTimestamp;
  };
  notes: {
    company: string;
    id: GeneratedAlways<number>;
    day: string;
    note: string;
    author: string;
    created_at: Timestamp;
  };
  noticed_catalogues: {
    company: string;
    master: string;
    version: string;
    field_values: string | null;
    program: string;
  };
  notifications: {
    company: string;
    id: string;
    event: string;
    title: string;
    text: string;
    path: string;
    created_at: GeneratedTimestamp;
    read_at: Timestamp | null;
  };
  offer_messages: {
    company: string;
    id: string;
    received_at: Timestamp;
  };
  offer_minutes: {
    company: string;
    master: string;
    marketplace: string;
    product_id: string;
    condition: string;
    minute: Timestamp;
    sellers: Json;
  };
  old_feed_addresses: {
    company: string;
    token: string;
    export: string;
    until: Timestamp;
  };
  order_actions: {
    company: string;
    id: string;
    channel: string;
    order_id: string;
    kind: 'ship' | 'cancel' | 'return' | 'refund';
    action_key: string;
    form_key: string | null;
    body: string;
    state: 'new' | 'sending' | 'submitted' | 'unknown' | 'unclear' | 'done' | 'refused' | 'superseded';
    reference: Generated<string>;
    message: Generated<string>;
    issues: Generated<string>;
    sends: Generated<number>;
    reads: Generated<number>;
    fence: Generated<number>;
    lease_until: Timestamp | null;
    not_before: Timestamp;
    created_by: string;
    created_at: Timestamp;
    sent_at: Timestamp | null;
    ended_at: Timestamp | null;
    resolved_by: string | null;
    resolution: string | null;
  };
  order_days: {
    company: string;
    day: string;
    channel: string;
    currency: string;
    orders: number;
    pieces: number;
    revenue_cents: number;
    cancelled: number;
    returned: number;
    unpriced: number;
  };
  order_events: {
    company: string;
    channel: string;
    order_id: string;
    id: GeneratedAlways<number>;
    at: Timestamp;
    kind: string;
    source: 'message' | 'poll' | 'call' | 'file' | 'user' | 'action';
    author: Generated<string>;
    details: Generated<string>;
  };
  order_hints: {
    company: string;
    channel: string;
    order_id: string;
    since: Timestamp;
    not_before: Timestamp;
    tries: Generated<number>;
  };
  order_lines: {
    company: string;
    channel: string;
    order_id: string;
    line_id: string;
    position: number;
    sku: string;
    title: Generated<string>;
    product_id: Generated<string>;
    master: string | null;
    item: string | null;
    ordered: number;
    shipped: Generated<number>;
    cancelled: Generated<number>;
    returned: Generated<number>;
    ship_waiting: Generated<number>;
    cancel_waiting: Generated<number>;
    return_waiting: Generated<number>;
    unit_cents: number | null;
    discount_cents: Generated<number>;
    shipping_cents: Generated<number>;
    refunded_cents: Generated<number>;
    tax_rate: number | null;
    cancel_request: Generated<string>;
    placed_at: Timestamp;
  };
  order_persons: {
    company: string;
    channel: string;
    order_id: string;
    role: 'buyer' | 'delivery' | 'invoice';
    version: number;
    sealed: string;
    mark: string;
    created_at: Timestamp;
    erase_after: Timestamp;
  };
  order_polls: {
    company: string;
    channel: string;
    since: Timestamp;
    cursor: string | null;
    as_of: Timestamp | null;
    polled_at: Timestamp;
    failed_since: Timestamp | null;
    reconciled_on: string | null;
    reconciling: Generated<boolean>;
    back_since: Timestamp | null;
    back_cursor: string | null;
    back_failed_since: Timestamp | null;
    back_not_before: Timestamp | null;
    back_turn: Generated<boolean>;
    back_found: Generated<number>;
  };
  orders: {
    company: string;
    channel: string;
    order_id: string;
    channel_name: string;
    source: 'marketplace' | 'call' | 'file';
    placed_at: Timestamp;
    changed_at: Timestamp;
    seen_at: Timestamp;
    raw_state: Generated<string>;
    pending: Generated<boolean>;
    hold: Generated<'none' | 'fraud' | 'cancel_requested'>;
    fulfilled_by: Generated<'merchant' | 'marketplace'>;
    confirmable: Generated<boolean>;
    ship_by: Timestamp | null;
    deliver_by: Timestamp | null;
    delivered_at: Timestamp | null;
    shipped_at: Timestamp | null;
    cancelled_at: Timestamp | null;
    currency: string;
    country: Generated<string>;
    tax_scheme: Generated<string>;
    programs: Generated<string>;
    buyer_order_number: Generated<string>;
    replaces: Generated<string>;
    state: 'pending' | 'open' | 'part_shipped' | 'shipped' | 'cancelled' | 'returned';
    open_pieces: number;
    returned_pieces: Generated<number>;
    total_cents: number | null;
    line_count: Generated<number>;
    unclear: Generated<number>;
    wish_declined_at: Timestamp | null;
    alarmed_at: Timestamp | null;
    parcels: Generated<number>;
    day: string;
  };
  organization: {
    id: string;
    name: string;
    slug: string;
    logo: string | null;
    createdAt: Timestamp;
    metadata: string | null;
    second_factor_required: Generated<boolean>;
  };
  own_exchange_rates: {
    company: string;
    currency: string;
    micros: number;
    set_by: string;
    set_at: Timestamp;
  };
  passkeys: {
    id: string;
    user_id: string;
    name: string;
    public_key: string;
    counter: number;
    transports: string;
    created_at: Timestamp;
    last_used_at: Timestamp | null;
  };
  password_resets: {
    hash: string;
    user_id: string;
    expires_at: Timestamp;
  };
  person_readings: {
    company: string;
    id: GeneratedAlways<number>;
    at: Timestamp;
    reader: string;
    channel: string;
    order_id: string;
    purpose: string;
  };
  price_breakers: {
    company: string;
    id: string;
    master: string;
    kind: string;
    details: string;
    tripped_at: Timestamp;
    released_at: Timestamp | null;
    released_by: string | null;
    reason: string | null;
  };
  price_decisions: {
    company: string;
    id: GeneratedAlways<number>;
    master: string;
    marketplace: string;
    item: string;
    product_id: string;
    decided_at: Timestamp;
    cause: string;
    rule: string | null;
    rule_revision: number;
    snapshot: number;
    limits_version: string;
    offers_at: Timestamp | null;
    min_cents: number | null;
    max_cents: number | null;
    standard_cents: number | null;
    current_cents: number | null;
    price_cents: number | null;
    stock: number | null;
    reason: string;
    target_seller: string | null;
    body: string;
    verdict: 'submit' | 'step' | 'hold' | 'unchanged' | 'none' | 'dry_run';
    held: Generated<string>;
    program: Generated<string>;
  };
  price_previews: {
    company: string;
    account: string;
    rule: string;
    revision: number;
    passed_at: Timestamp;
  };
  price_restores: {
    company: string;
    id: string;
    master: string;
    moment: Timestamp;
    reason: string;
    author: string;
    started_at: Timestamp;
    ended_at: Timestamp | null;
    ended_by: string | null;
  };
  price_stops: {
    company: string;
    reason: string;
    since: GeneratedTimestamp;
  };
  price_submissions: {
    company: string;
    id: string;
    master: string;
    marketplace: string;
    item: string;
    account: string;
    sku: string;
    decision: number;
    rule: string;
    limits_version: string;
    currency: string;
    from_cents: number | null;
    price_cents: number;
    min_cents: number;
    max_cents: number;
    state: 'new' | 'sending' | 'accepted' | 'live' | 'invalid' | 'unknown' | 'held';
    reached_min: boolean;
    stock: number | null;
    held: Generated<string>;
    message: string | null;
    issues: Generated<string>;
    reference: string | null;
    sends: Generated<number>;
    fence: Generated<number>;
    lease_until: Timestamp | null;
    not_before: Timestamp | null;
    created_at: Timestamp;
    sent_at: Timestamp | null;
    accepted_at: Timestamp | null;
    ended_at: Timestamp | null;
    restored: Generated<boolean>;
  };
  processes: {
    name: string;
    role: 'all' | 'web' | 'worker';
    program: string;
    started_at: Timestamp;
    seen_at: Timestamp;
    drained_by: string | null;
    drained_at: Timestamp | null;
    reads_argon2id: Generated<boolean>;
    report_xid: string | null;
  };
  rank_history: {
    company: string;
    master: string;
    seller: string;
    hour: Timestamp;
    rank_1: number;
    rank_2: number;
    rank_3: number;
    box: number;
    observed: number | null;
    observed_box: number | null;
  };
  recovery_codes: {
    user_id: string;
    hash: string;
  };
  refunds: {
    company: string;
    id: string;
    channel: string;
    order_id: string;
    line_id: string;
    cents: number;
    currency: string;
    reason: Generated<string>;
    at: Timestamp;
    action: string | null;
  };
  reprice_queue: {
    company: string;
    master: string;
    marketplace: string;
    item: string;
    since: Timestamp;
    due_at: Timestamp;
    cause: string;
    lease_until: Timestamp | null;
    fence: Generated<number>;
  };
  repricer_counters: {
    company: string;
    master: string;
    marketplace: string;
    day: string;
    kind: string;
    n: number;
  };
  repricer_simulations: {
    company: string;
    master: string;
    rule: string;
    content: string;
    author: string;
    simulated_at: Timestamp;
    offers: number;
  };
  repricer_states: {
    company: string;
    master: string;
    active: boolean;
    dry_run: boolean;
    stopped: boolean;
    author: string;
    changed_at: GeneratedTimestamp;
    limits_confirmed: Generated<string>;
    limits_review: Generated<string>;
  };
  request_keys: {
    company: string;
    actor: string;
    key: string;
    call: string;
    input_hash: string;
    state: 'begun' | 'done';
    answer: string | null;
    at: Timestamp;
  };
  returns: {
    company: string;
    id: string;
    channel: string;
    order_id: string;
    line_id: string;
    quantity: number;
    state: 'announced' | 'arrived' | 'accepted' | 'rejected';
    reason: Generated<string>;
    remote_id: Generated<string>;
    at: Timestamp;
    action: string | null;
  };
  saved_view_defaults: {
    company: string;
    person: string;
    place: string;
    scope: Generated<string>;
    view: string;
  };
  saved_views: {
    company: string;
    id: string;
    place: string;
    scope: Generated<string>;
    owner: string;
    owner_name: string;
    name: string;
    query: string;
    fields: Generated<string>;
    shared: Generated<boolean>;
    revision: Generated<number>;
    changed_by: string;
    created_at: Timestamp;
    changed_at: Timestamp;
  };
  schedules: {
    company: string;
    subject: string;
    scope: string;
    revision: number;
    next_at: Timestamp | null;
    note: string | null;
    good_run: string | null;
    good_at: Timestamp;
    overdue_since: Timestamp | null;
    look_at: Timestamp | null;
  };
  secrets: {
    company: string;
    place: string;
    sealed: string;
    created_at: GeneratedTimestamp;
  };
  security_anchors: {
    company: string;
    key: number;
    number: number;
    hash: string;
    pruned: Generated<number>;
    mark: string;
  };
  security_checkpoints: {
    company: string;
    number: number;
    hash: string;
    made_at: Timestamp;
    seal: string;
  };
  security_events: {
    company: string;
    number: number;
    at: Timestamp;
    kind:
      | 'sign_in'
      | 'sign_out'
      | 'proof'
      | 'session'
      | 'password'
      | 'factor'
      | 'token'
      | 'member'
      | 'secret'
      | 'download'
      | 'release'
      | 'prices'
      | 'persons'
      | 'settings'
      | 'deletion'
      | 'operation'
      | 'access';
    result: 'done' | 'begun' | 'refused' | 'failed';
    actor: string;
    actor_id: string;
    actor_by: 'session' | 'token' | 'nobody';
    address: string;
    what: string;
    subject: string;
    hash: string;
  };
  security_log_heads: {
    company: string;
    number: number;
    hash: string;
    verified_at: Timestamp | null;
    verified_number: Generated<number>;
    broken: Generated<string>;
  };
  sessions: {
    hash: string;
    id: string;
    user_id: string;
    created_at: Timestamp;
    last_used_at: Timestamp;
    proven_at: Timestamp;
    address: string;
    device: string;
    former_hash: string | null;
    former_until: Timestamp | null;
  };
  shared_counts: {
    key: string;
    process: string;
    count: number;
    until: Timestamp;
  };
  shipment_lines: {
    company: string;
    shipment: string;
    line_id: string;
    quantity: number;
  };
  shipments: {
    company: string;
    id: string;
    channel: string;
    order_id: string;
    reference: string;
    carrier: string;
    tracking: string;
    return_tracking: Generated<string>;
    tracking_key: GeneratedAlways<string>;
    shipped_at: Timestamp;
    source: 'us' | 'channel';
    state: 'shipped' | 'delivered' | 'undeliverable' | 'cancelled';
    action: string | null;
  };
  sign_in_tickets: {
    hash: string;
    purpose: string;
    user_id: string | null;
    challenge: string;
    expires_at: Timestamp;
  };
  sign_in_tries: {
    key: string;
    failures: number;
    blocked_until: Timestamp | null;
    forget_at: Timestamp;
  };
  snapshots: {
    company: string;
    master: string;
    number: number;
    runid: string;
    items: number;
    fields: string;
    key_field: string | null;
    source: string;
    details: Generated<string>;
    created_at: GeneratedTimestamp;
    gone_at: Timestamp | null;
  };
  stock_dirty: {
    company: string;
    id: GeneratedAlways<number>;
    master: string;
    item: string;
  };
  stock_feeds: {
    company: string;
    channel: string;
    master: string;
    state: Generated<'sending' | 'submitted' | 'unknown'>;
    reference: Generated<string>;
    sent_at: Timestamp;
    look_at: Timestamp;
    numbers: string;
  };
  stock_files: {
    company: string;
    export: string;
    number: number;
    runid: string;
    bytes: number;
    items: number;
    etag: string;
    mime: string;
    ending: string;
    created_at: GeneratedTimestamp;
  };
  stock_items: {
    company: string;
    master: string;
    item: string;
    on_hand: number;
    source: 'ok' | 'unreadable' | 'missing';
    reserved: Generated<number>;
    buffer: Generated<number>;
    available: Generated<number>;
  };
  stock_offers: {
    company: string;
    master: string;
    item: string;
    channel: string;
    account: boolean;
    sku: string;
    offered: number;
    changed_at: Timestamp;
    base: number | null;
    base_at: Timestamp | null;
    shown: number | null;
    state: Generated<'new' | 'accepted' | 'refused' | 'unknown'>;
    message: Generated<string>;
    not_before: Timestamp;
    tries: Generated<number>;
    read: number | null;
    read_at: Timestamp | null;
    prior: number | null;
    prior_at: Timestamp | null;
    fed: number | null;
  };
  stock_states: {
    company: string;
    master: string;
    revision: Generated<number>;
    snapshot: number | null;
    source_at: Timestamp | null;
    computed_at: Timestamp | null;
    held: Generated<string>;
    held_at: Timestamp | null;
    released_at: Timestamp | null;
    released_by: string | null;
    release_reason: string | null;
    compared_at: Timestamp | null;
    feed_revision: Generated<number>;
  };
  stored_files: {
    company: string;
    path: string;
    object: string;
    bytes: number;
    sha256: string;
    created_at: GeneratedTimestamp;
  };
  token_buckets: {
    key: string;
    tokens: number;
    granted: number;
    at: Timestamp;
  };
  totp_factors: {
    user_id: string;
    sealed: string;
    created_at: Timestamp;
    confirmed_at: Timestamp | null;
    last_step: Generated<number>;
  };
  transfer_results: {
    company: string;
    export: string;
    channel: string;
    item: string;
    state: 'sent' | 'accepted' | 'invalid';
    code: Generated<string>;
    field: Generated<string>;
    message: Generated<string>;
    at: Timestamp;
  };
  unknown_sign_ins: {
    day: string;
    tries: number;
  };
  user: {
    id: string;
    name: string;
    email: string;
    emailVerified: boolean;
    image: string | null;
    createdAt: GeneratedTimestamp;
    updatedAt: GeneratedTimestamp;
    password_hash: string | null;
  };
  webhooks: {
    company: string;
    id: string;
    name: string;
    url: string;
    events: string;
    active: boolean;
    created_at: GeneratedTimestamp;
  };
};
