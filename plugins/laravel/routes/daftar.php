<?php

declare(strict_types=1);

use Daftar\Laravel\Http\ReceiveWebhook;
use Daftar\Laravel\Http\VerifyWebhook;
use Illuminate\Support\Facades\Route;

// In no group of middleware: a webhook has no session and no CSRF token. Its signature says whose it is.
Route::name('daftar.webhook')
    ->middleware(VerifyWebhook::class)
    ->post((string) config('daftar.webhook.path'), ReceiveWebhook::class);
