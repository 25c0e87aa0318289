/**
 * Finds the external programs that tests need, and installs missing ones.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import process from 'node:process'

const APT_LIMIT_MS = 15 * 60 * 1000

export interface OutsideProgram {
  command: string
  /** Debian package that contains the program. */
  debianPackage: string
}

const OUTSIDE_PROGRAMS: readonly OutsideProgram[] = [
  { command: 'pdfsig', debianPackage: 'poppler-utils' },
  // Reads the text of printed reports.
  { command: 'pdftotext', debianPackage: 'poppler-utils' },
  // These render mutated documents for `npm run fuzz -- viewers`.
  { command: 'pdftoppm', debianPackage: 'poppler-utils' },
  { command: 'mutool', debianPackage: 'mupdf-tools' },
  { command: 'gs', debianPackage: 'ghostscript' },
  // Manages the certificate database of pdfsig.
  { command: 'certutil', debianPackage: 'libnss3-tools' },
  { command: 'qpdf', debianPackage: 'qpdf' },
  { command: 'openssl', debianPackage: 'openssl' },
  // Verifies the signature of XML reports.
  { command: 'xmlsec1', debianPackage: 'xmlsec1' },
  // Browser for tests of the pages.
  { command: 'chromium', debianPackage: 'chromium' },
  { command: 'chromium-headless-shell', debianPackage: 'chromium-headless-shell' },
  // Unpacks the sources of the API server for tests.
  { command: 'xz', debianPackage: 'xz-utils' },
  { command: 'kubectl', debianPackage: 'kubernetes-client' },
  { command: 'redis-server', debianPackage: 'redis-server' },
  // Comes with the server, whose own programs are not on the PATH.
  { command: 'pg_ctlcluster', debianPackage: 'postgresql' },
  // Runs the tests of the Python client and its examples.
  { command: 'python3', debianPackage: 'python3' },
  { command: 'mypy', debianPackage: 'mypy' },
  // Checks and tests the alerting rules.
  { command: 'promtool', debianPackage: 'prometheus' },
  { command: 'prometheus-alertmanager', debianPackage: 'prometheus-alertmanager' },
  // A real S3-compatible store, with its monitor and its store in memory.
  { command: 'radosgw', debianPackage: 'radosgw' },
  { command: 'ceph-mon', debianPackage: 'ceph-mon' },
  { command: 'ceph-osd', debianPackage: 'ceph-osd' },
  // A hardware security module in software, and the program that makes its keys.
  { command: 'softhsm2-util', debianPackage: 'softhsm2' },
  { command: 'pkcs11-tool', debianPackage: 'opensc' },
  // Used by the commands that restore a backup.
  { command: 'jq', debianPackage: 'jq' },
]

/** Whether the command is on the PATH. */
export function isInstalled(command: string): boolean {
  const folders = (process.env.PATH ?? '').split(':')
  return folders.some((folder) => folder !== '' && existsSync(`${folder}/${command}`))
}

function apt(...args: string[]): boolean {
  const { status } = spawnSync('apt-get', ['-q', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: APT_LIMIT_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  return status === 0
}

/** Lists the programs that are not on the PATH. */
export function listMissingPrograms(): OutsideProgram[] {
  return OUTSIDE_PROGRAMS.filter(({ command }) => !isInstalled(command))
}

/** Whether packages can be installed here: on Debian, as root. */
export function canInstall(): boolean {
  return process.getuid?.() === 0 && isInstalled('apt-get')
}

/** Tries to install Debian packages; check for missing programs afterwards. */
export function installPackages(packages: readonly string[]): void {
  console.log(`installing ${packages.join(', ')}`)
  apt('update')
  apt('install', '-y', '--no-install-recommends', ...packages)
}
