#!/usr/bin/env node
/**
 * `sigcase`: the command line for tenants (cases, webhooks, kiosks through the REST API) and for
 * operators (keys, tenants, verification). As `kubectl-sigcase` on PATH it is `kubectl sigcase`.
 */
import process from 'node:process'
import { runProgram } from './sigcase/programs.ts'
import { runSigcase } from './sigcase/run.ts'

const args = process.argv.slice(2)
if (!(await runProgram(args))) process.exitCode = await runSigcase(args)
