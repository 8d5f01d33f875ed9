HYPERPARAMS = {
    "catch": {
        "grid": 6,
        "replay_size": 200,
        "replay_initial": 60,
        "target_net_sync": 25,
        "epsilon_frames": 150,
        "epsilon_final": 0.1,
        "learning_rate": 1e-3,
        "gamma": 0.95,
        "batch_size": 16,
        "frames": 210,
        "seed": 5,
    },
}
